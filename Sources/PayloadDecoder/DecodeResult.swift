public import HealthPayload

public import struct FoundationEssentials.UUID

/// What became of a payload at the boundary.
public enum DecodeResult: Sendable, Hashable {
  /// It can be used, apart from the entries in its quarantine.
  case payload(DecodedPayload)
  /// Nothing of it can be used.
  case dead(PayloadFault)
}

/// Why nothing of a payload can be used. It never holds a value of the payload.
public struct PayloadFault: Error, Sendable, Hashable {
  /// Why; the first in the order of the codes where several apply.
  public var code: DeadLetterCode
  /// JSON pointer to the field, empty for the whole text.
  public var pointer: String
  /// Where in the text, in bytes from its begin; nil where the place is not in the text.
  public var byteOffset: Int?
  /// What is wrong and what to do, in words.
  public var detail: String
  /// What else is wrong with the envelope.
  public var others: [PayloadFault]
  /// The payload's id; nil where it could not be read.
  public var payloadID: UUID?
  /// The person that the payload names; nil where that could not be read.
  public var userID: UUID?

  /// A fault at a place of the payload.
  public init(
    code: DeadLetterCode, pointer: String = "", byteOffset: Int? = nil, detail: String, others: [PayloadFault] = []
  ) {
    self.code = code
    self.pointer = pointer
    self.byteOffset = byteOffset
    self.detail = detail
    self.others = others
  }
}

/// A payload as typed evidence: all that its laws can decide without looking at anything but itself.
public struct DecodedPayload: Sendable, Hashable {
  /// What was accepted; entries in quarantine are left out, and dates after the last possible one are cut from `looked`.
  /// Its `days`, `hours` and `records` are empty where only the judged ones were asked for.
  public var payload: SyncPayload
  /// When the store was read: never later than the payload's arrival, which also stands in where the payload says nothing.
  public var readAt: Instant
  /// Whether the payload did not say when it was read.
  public var readAtWasMissing: Bool
  /// Whether the process that read never had a successful read. None of its values is used.
  public var neverRead: Bool
  /// Whether a failed day abandons the payload: none of its days, records and presence may be applied.
  public var abandoned: Bool
  /// What each day entry says once judged, what records say that are no record, and what the ranges that were looked at say
  /// of each of their days; in order of position.
  public var days: [JudgedDay]
  /// The hours once judged, in order of position.
  public var hours: [JudgedHour]
  /// The records once judged, in order of position.
  public var records: [JudgedRecord]
  /// Entries that cannot be used, in the order in which they stand in the text.
  public var quarantined: [QuarantinedEntry]
}

/// One statement about a metric and day, judged by the laws of the boundary.
public struct JudgedDay: Sendable, Hashable {
  /// What the statement is.
  public enum Kind: String, Sendable, CaseIterable {
    /// There is a value, zero included.
    case value
    /// The store was read and holds nothing.
    case empty
    /// The read failed.
    case failed
    /// Permission is missing.
    case denied
    /// Device or provider does not measure it.
    case unavailable
    /// Something arrived that cannot be a value of this metric.
    case invalid
    /// The read looked at the whole day: records of it that the payload has are all there are. An `empty` follows where
    /// the payload says nothing else of the day.
    case looked
  }

  /// Id of the metric in the catalogue.
  public var metric: Int16
  /// The day.
  public var localDate: LocalDate
  /// Place of the entry among the entries of its payload, from zero: days first, then records, then each day looked at.
  public var position: Int32
  /// What the statement is.
  public var kind: Kind
  /// The value in the metric's unit; nil unless the kind is `value`.
  public var value: ExactNumber?
  /// Devices or apps that contributed, each once.
  public var sources: [String]
  /// The platform's word in its canonical spelling, the code of the quarantine of an `invalid` one, or `derived_default`
  /// for a number that the platform made up without a device; nil says nothing.
  public var code: String?
  /// Whether the client says that the whole day was read after its end; nil says nothing.
  public var complete: Bool?
  /// Whether the same payload proves that the metric could be read; always true where the platform does not hide a denial.
  public var proven: Bool

  /// A statement about a metric and day.
  @inline(__always)
  public init(
    metric: Int16, localDate: LocalDate, position: Int32, kind: Kind, value: ExactNumber? = nil, sources: [String] = [],
    code: String? = nil, complete: Bool? = nil, proven: Bool
  ) {
    self.metric = metric
    self.localDate = localDate
    self.position = position
    self.kind = kind
    self.value = value
    self.sources = sources
    self.code = code
    self.complete = complete
    self.proven = proven
  }
}

/// One record, judged by the laws of the boundary.
public struct JudgedRecord: Sendable, Hashable {
  /// The platform's id of the record, as it was sent.
  public var recordID: String
  /// Id of the metric in the catalogue.
  public var metric: Int16
  /// The day to which it counts.
  public var localDate: LocalDate
  /// Place of the entry among the entries of its payload, from zero: records follow on the days.
  public var position: Int32
  /// The value in the metric's unit; nil if it carries none. Zero is a value.
  public var value: ExactNumber?
  /// Device or app that wrote it; empty if the platform names none.
  public var source: String
  /// Begin of its interval; nil if it has none.
  public var start: Instant?
  /// End of its interval; nil if it has none.
  public var end: Instant?
  /// Whether someone typed it in: the entry says so, or everything of its platform is entered by hand.
  public var isManual: Bool
  /// Whether the same payload proves that the metric could be read; always true where the platform does not hide a denial.
  public var proven: Bool

  /// A record of one metric on one day.
  public init(
    recordID: String, metric: Int16, localDate: LocalDate, position: Int32, value: ExactNumber? = nil,
    source: String = "", start: Instant? = nil, end: Instant? = nil, isManual: Bool = false, proven: Bool
  ) {
    self.recordID = recordID
    self.metric = metric
    self.localDate = localDate
    self.position = position
    self.value = value
    self.source = source
    self.start = start
    self.end = end
    self.isManual = isManual
    self.proven = proven
  }
}

/// One entry that cannot be used. Its text is the payload's bytes in `byteRange`, kept for a replay.
public struct QuarantinedEntry: Sendable, Hashable {
  /// JSON pointer to the field that is wrong.
  public var pointer: String
  /// What is wrong; the first in the order of the codes where several things are.
  public var code: QuarantineCode
  /// Where the field stands, in bytes from the begin of the payload; the entry's own place for a field that is missing.
  public var byteOffset: Int
  /// Where the whole entry stands in the payload.
  public var byteRange: Range<Int>
  /// The entry's text where the payload was made of another format: the places are those of the payload that was made.
  public var translatedText: [UInt8]?

  /// An entry in quarantine.
  public init(pointer: String, code: QuarantineCode, byteOffset: Int, byteRange: Range<Int>) {
    self.pointer = pointer
    self.code = code
    self.byteOffset = byteOffset
    self.byteRange = byteRange
  }
}

/// One thing that is wrong with a payload, as `validate` lists them.
public struct Finding: Sendable, Hashable {
  /// What it costs.
  public enum Consequence: String, Sendable {
    /// Nothing of the payload can be used.
    case deadLetter = "dead_letter"
    /// The entry cannot be used; its siblings can.
    case quarantine
  }

  /// What it costs.
  public var consequence: Consequence
  /// The code, from catalogue/codes.csv.
  public var code: String
  /// JSON pointer to the place.
  public var pointer: String
  /// The place in bytes from the begin of the payload; nil where it is not in the text.
  public var byteOffset: Int?

  /// One thing that is wrong.
  public init(consequence: Consequence, code: String, pointer: String, byteOffset: Int?) {
    self.consequence = consequence
    self.code = code
    self.pointer = pointer
    self.byteOffset = byteOffset
  }
}
