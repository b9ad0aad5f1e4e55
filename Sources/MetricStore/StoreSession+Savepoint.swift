extension StoreSession {
  /// Runs `body`; if the database refuses its data, nothing of it has happened, and the error is returned.
  func unlessRefused<Value: Sendable>(
    _ body: () async throws(StoreError) -> Value
  ) async throws(StoreError) -> Result<Value, StoreError> {
    runLater(Statements.savepoint, [], "setting a savepoint")
    do throws(StoreError) {
      let value = try await body()
      try await release()
      return .success(value)
    } catch {
      guard error.kind == .data, isOpen else { throw error }
      try await rollBackToSavepoint()
      return .failure(error)
    }
  }

  /// Forgets the last savepoint. What waits may still be refused, and is sent before; releasing alone cannot be, and waits.
  private func release() async throws(StoreError) {
    let doing = "releasing a savepoint"
    guard outbox.isEmpty else {
      try await run(Statements.releaseSavepoint, [], doing)
      return
    }
    runLater(Statements.releaseSavepoint, [], doing)
  }

  /// Runs `body` and undoes it. What is refused of it is refused of the part that it is tried in.
  func trying<Value: Sendable>(_ body: () async throws(StoreError) -> Value) async throws(StoreError) -> Value {
    runLater(Statements.trial, [], "setting a savepoint")
    let value = try await body()
    try await run(Statements.rollbackToTrial, [], "rolling back to a savepoint")
    runLater(Statements.releaseTrial, [], "releasing a savepoint")
    return value
  }

  /// Undoes what happened since the last savepoint, and forgets that one.
  private func rollBackToSavepoint() async throws(StoreError) {
    // Where it waits itself, nothing has happened since, and there is none to go back to but that of the part before.
    guard !outbox.drop(from: Statements.savepoint) else { return }
    try await run(Statements.rollbackToSavepoint, [], "rolling back to a savepoint")
    runLater(Statements.releaseSavepoint, [], "releasing a savepoint")
  }
}
