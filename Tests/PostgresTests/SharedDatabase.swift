import TestSupport

/// The database of all tests that leave nothing behind for others to see: they make temporary tables, or none.
func sharedDatabase() async throws -> TestDatabase {
  try await sharedDatabaseTask.value
}

private let sharedDatabaseTask = Task { try await freshDatabase(from: .empty) }
