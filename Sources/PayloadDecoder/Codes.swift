/// Why a whole payload cannot be used, in the order of catalogue/codes.csv: where several apply, the first counts.
public enum DeadLetterCode: String, Sendable, Hashable, CaseIterable, Comparable {
  /// The text is not JSON.
  case notJSON = "not_json"
  /// The text is JSON, but no object.
  case notAnObject = "not_an_object"
  /// Over a limit of bytes, depth, entries or digits.
  case tooLarge = "too_large"
  /// A schema that this build does not take.
  case unsupportedSchema = "unsupported_schema"
  /// A required field of the envelope is missing.
  case missingField = "missing_field"
  /// A field of the envelope has another type, a key occurs twice, or a block is no array.
  case invalidField = "invalid_field"
  /// The platform is not in the catalogue.
  case unknownPlatform = "unknown_platform"
  /// The payload names another user than its queue row.
  case userMismatch = "user_mismatch"
  /// The payload id was taken before, with other content. Found by the store.
  case payloadIDReused = "payload_id_reused"
  /// An all-or-nothing load had a failed day or stayed incomplete. Found by the store.
  case loadAbandoned = "load_abandoned"
  /// It would delete more than the set share of a person's cells. Found by the store.
  case massDeletion = "mass_deletion"
  /// The database refused it. Found by the store.
  case rejectedByDatabase = "rejected_by_database"
  /// The process died on it more than once. Found by the daemon.
  case crashed
  /// Alone it took longer than the server allows, again and again. Found by the store.
  case timedOut = "timed_out"

  /// Orders codes by precedence.
  public static func < (left: DeadLetterCode, right: DeadLetterCode) -> Bool { left.precedence < right.precedence }

  /// Position in catalogue/codes.csv.
  private var precedence: Int { DeadLetterCode.positions[self] ?? DeadLetterCode.allCases.count }
  private static let positions = Dictionary(uniqueKeysWithValues: zip(allCases, 0...))
}

/// Why one entry of a payload cannot be used, in the order of catalogue/codes.csv: where several apply, the first counts.
public enum QuarantineCode: String, Sendable, Hashable, CaseIterable, Comparable {
  /// A required field of the entry is missing or null.
  case missingField = "missing_field"
  /// A field has the wrong type, shape or length.
  case invalidField = "invalid_field"
  /// A key occurs twice in the entry.
  case duplicateKey = "duplicate_key"
  /// The outcome is not one of the words.
  case unknownOutcome = "unknown_outcome"
  /// The metric is not in the catalogue.
  case unknownMetric = "unknown_metric"
  /// The date does not exist.
  case invalidDate = "invalid_date"
  /// The date is later than the date of the read at UTC+14.
  case dateInFuture = "date_in_future"
  /// The date lies before 1900-01-01.
  case dateTooOld = "date_too_old"
  /// A value of a process that never had a successful read.
  case neverRead = "never_read"
  /// The outcome `value` without a value or with null.
  case missingValue = "missing_value"
  /// A value beside another outcome.
  case unexpectedValue = "unexpected_value"
  /// The value is no JSON number, or has too many digits.
  case notANumber = "not_a_number"
  /// The unit is unknown or does not fit the metric.
  case unknownUnit = "unknown_unit"
  /// Zero where the metric cannot be zero, or beside one that cannot.
  case impossibleZero = "impossible_zero"
  /// Outside the metric's range.
  case outOfRange = "out_of_range"
  /// No such IANA time zone.
  case unknownTimeZone = "unknown_time_zone"

  /// Orders codes by precedence.
  public static func < (left: QuarantineCode, right: QuarantineCode) -> Bool { left.precedence < right.precedence }

  /// Position in catalogue/codes.csv.
  private var precedence: Int { QuarantineCode.positions[self] ?? QuarantineCode.allCases.count }
  private static let positions = Dictionary(uniqueKeysWithValues: zip(allCases, 0...))
}
