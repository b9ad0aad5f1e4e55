internal import CLibPQ

extension Session {
  /// Sends statements one behind the other by `send`, which returns 0 for failure as libpq does, and waits for the last answer.
  ///
  /// - Parameters:
  ///   - deadline: the longest wait for each statement.
  ///   - send: hands the statement of this index over to libpq.
  /// - Returns: the last result of each statement.
  /// - Throws: the first error with the statement's number; the server passes over those behind it.
  ///
  /// The corresponding C functions are `PQenterPipelineMode`, `PQpipelineSync` and `PQexitPipelineMode`.
  func run(
    _ sqls: [String], until deadline: Deadline, _ send: (OpaquePointer, Int) -> Int32
  ) throws(PostgresError) -> [ServerResult] {
    let handle = try open()
    guard PQenterPipelineMode(handle) == 1 else { throw refusal() }
    guard sqls.indices.allSatisfy({ send(handle, $0) == 1 }), PQpipelineSync(handle) == 1 else {
      // What is under way already cannot be called back.
      defer { close() }
      throw refusal()
    }
    // What does not fit into the socket waits for all statements before it.
    try flush(until: deadline.again(times: sqls.count))
    let (results, failure) = try results(of: sqls, until: deadline)
    guard PQexitPipelineMode(handle) == 1 else { throw lost() }
    if let failure { throw failure }
    return results
  }

  /// The results up to the end of the pipeline, or up to the first error, which is returned beside them.
  private func results(
    of sqls: [String], until deadline: Deadline
  ) throws(PostgresError) -> ([ServerResult], PostgresError?) {
    let handle = try open()
    var results: [ServerResult] = []
    var failure: PostgresError?
    for (index, sql) in sqls.enumerated() {
      var last: ServerResult?
      let deadline = deadline.again()
      while let result = try next(handle, until: deadline) {
        guard !result.isCopy else { throw refusedCopy() }
        if failure == nil, !result.isSuccess { failure = try self.failure(result, of: sql, number: index + 1) }
        last = result
      }
      guard let last, PQstatus(handle) == CONNECTION_OK else { throw lost() }
      if failure == nil { results.append(last) }
    }
    guard try next(handle, until: deadline)?.status == PGRES_PIPELINE_SYNC else { throw lost() }
    return (results, failure)
  }

  /// The error in a result. It is thrown if nothing else can follow it, because the connection is gone.
  private func failure(
    _ result: ServerResult, of sql: String, number: Int
  ) throws(PostgresError) -> PostgresError {
    var error = self.error(in: result, of: sql)
    // A connection that ends without a word tells nothing of how far the server came.
    if error.kind != .connectionLost || error.sqlState != nil { error.statement = number }
    guard error.kind != .connectionLost else { throw error }
    return error
  }
}
