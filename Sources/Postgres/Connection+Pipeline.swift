internal import CLibPQ

extension Connection {
  /// Runs several statements in one round trip and returns the rows of each. One more for each that is seen the first time.
  ///
  /// They run one after the other as if they were sent one by one, except that all of them are sent before the first answer
  /// is read: so none can depend on another's rows. Outside of a transaction they are one. COPY is refused.
  ///
  /// - Parameters:
  ///   - statements: what to run; their parameters are let go of as they are encoded.
  ///   - deadline: the longest wait for each of them, and for the server to take them the sum; nil for that of the
  ///     connection's options.
  /// - Throws: the first error with the number of its statement. Those before it have run, those behind it have not.
  @discardableResult
  public nonisolated func execute(
    _ statements: consuming [Statement], deadline: Duration? = nil
  ) async throws(PostgresError) -> [Rows] {
    let (encoded, refusal) = Self.encode(&statements)
    guard !encoded.isEmpty else {
      if let refusal { throw refusal }
      return []
    }
    let rows = try await sendAgainIfUnknown(encoded, until: Deadline(deadline ?? defaultDeadline))
    if let refusal { throw refusal }
    return rows
  }

  /// All of them, or those before the first whose parameters cannot be sent, with the error: what comes before it runs, as it
  /// would have one by one.
  private static func encode(_ statements: inout [Statement]) -> ([EncodedStatement], PostgresError?) {
    var encoded: [EncodedStatement] = []
    encoded.reserveCapacity(statements.count)
    for index in statements.indices {
      do throws(PostgresError) {
        encoded.append(try EncodedStatement(taking: &statements[index]))
      } catch {
        var error = error
        error.statement = index + 1
        return (encoded, error)
      }
    }
    return (encoded, nil)
  }

  /// Statements that were deallocated are prepared again, if the first one failed: behind others that have run nothing is sent
  /// twice, and the next call prepares them.
  private func sendAgainIfUnknown(
    _ encoded: [EncodedStatement], until deadline: Deadline
  ) throws(PostgresError) -> [Rows] {
    do {
      return try send(encoded, until: deadline)
    } catch {
      guard error.hasState("26") || error.hasState("0A") else { throw error }
      for statement in encoded { forget(statement) }
      guard error.statement == 1, try !isInTransaction() else { throw error }
      return try send(encoded, until: deadline.again())
    }
  }

  private func send(_ encoded: [EncodedStatement], until deadline: Deadline) throws(PostgresError) -> [Rows] {
    var names: [String?] = []
    for (index, statement) in encoded.enumerated() {
      do throws(PostgresError) {
        names.append(try prepare(statement, until: deadline.again()))
      } catch {
        var error = error
        error.statement = index + 1
        throw error
      }
    }
    let results = try session.run(encoded.map(\.sql), until: deadline.again()) { handle, index in
      guard Self.send(encoded[index], as: names[index], handle) == 1 else { return 0 }
      // Without being asked the server keeps its answers until the last one: a silent one could not be told from a busy one.
      // What has no parameters (BEGIN, SAVEPOINT) takes no time, and is answered with the next.
      let waits = encoded[index].values.types.isEmpty || index == encoded.count - 1
      return waits ? 1 : PQsendFlushRequest(handle)
    }
    return results.map(Rows.init)
  }
}
