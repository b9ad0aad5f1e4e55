/// How long a test waits for what must come before it says that it never came. A slow and busy machine needs long; where all
/// is well nobody waits.
public let patience = Duration.seconds(180)

/// The moment between two looks. Looking without it takes from the programs under test the processor that they need.
public func moment() async throws {
  try await Task.sleep(for: .milliseconds(20))
}

/// Asks again until the answer is good, as long as patience lasts; returns the last answer.
public func ask<Answer>(
  until isGood: (Answer) -> Bool, _ question: () async throws -> Answer
) async throws -> Answer {
  let deadline = ContinuousClock.now + patience
  var answer = try await question()
  while !isGood(answer), ContinuousClock.now < deadline {
    try await moment()
    answer = try await question()
  }
  return answer
}
