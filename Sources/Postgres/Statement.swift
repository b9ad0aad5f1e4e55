/// One of several statements that go to the server together.
public struct Statement: Sendable {
  /// One statement. It is prepared, and kept by its text.
  public var sql: String
  /// The values of `$1`, `$2`, ...
  public var parameters: [Parameter]

  /// A statement and the values of its placeholders.
  public init(_ sql: String, _ parameters: [Parameter] = []) {
    self.sql = sql
    self.parameters = parameters
  }
}

/// A statement with its parameters as libpq takes them.
struct EncodedStatement: Sendable {
  let sql: String
  let values: ParameterEncoder

  init(_ sql: String, _ values: ParameterEncoder) {
    self.sql = sql
    self.values = values
  }

  /// Takes the parameters away from `statement`, so that each can be let go of once it is encoded.
  init(taking statement: inout Statement) throws(PostgresError) {
    sql = statement.sql
    var parameters: [Parameter] = []
    swap(&parameters, &statement.parameters)
    values = try ParameterEncoder(parameters)
  }
}
