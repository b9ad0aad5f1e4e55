import Foundation

func say(_ line: String) { FileHandle.standardError.write(Data((line + "\n").utf8)) }

do {
  let arguments = Array(CommandLine.arguments.dropFirst())
  if try RideCommand.run(arguments) { exit(0) }
  let options = try Options(arguments)
  let demo = Demo(options)
  let directory = URL(fileURLWithPath: options.directory, isDirectory: true)
  try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
  for (name, lines) in [("payloads.ndjson", demo.payloadLines), ("truth.csv", demo.truthLines)] {
    let text = lines.joined(separator: "\n") + "\n"
    try Data(text.utf8).write(to: directory.appendingPathComponent(name))
  }
  for line in demo.summary { say(line) }
} catch let problem as Options.Problem {
  say("DemoData: \(problem.message)\n\(Options.usage)")
  exit(64)
} catch {
  say("DemoData: the files cannot be written: \(error.localizedDescription)")
  exit(73)
}
