public import PayloadDecoder

/// What a provider says with a state of a field, once and for all its days.
public enum Meaning: Sendable, Hashable {
  /// A measurement. Of a zero: someone was there, and it was nothing.
  case value
  /// A measurement if the same element shows that the device was worn, else the day was read and holds nothing.
  case valueIfWorn
  /// The day was read and holds nothing.
  case empty
  /// The day was read and holds nothing if the same element shows that the device was not worn, else nothing at all: what
  /// the device leaves out because it does not count it is no reading.
  case emptyIfUnworn
  /// The day was read and holds a zero: what a present element means by a field that it leaves out.
  case zero
  /// The provider could not say; the code is its own word.
  case failed(code: String)
  /// The device or the account does not measure it.
  case unavailable
  /// Nothing: not that it was looked at, nor that it was not.
  case silence
  /// A measurement of one: a code whose number is 0 means that it happened.
  case one
  /// Cannot be: the entry is refused.
  case impossible

  /// How the documentation says it.
  public var words: String {
    switch self {
    case .value: "a value"
    case .valueIfWorn: "a value if worn, else empty"
    case .empty: "empty"
    case .emptyIfUnworn: "nothing if worn, else empty"
    case .zero: "zero"
    case .failed(let code): "failed (\(code))"
    case .unavailable: "unavailable"
    case .silence: "nothing"
    case .one: "one"
    case .impossible: "refused"
    }
  }

  /// Whether it depends on the wear of the device.
  public var dependsOnWear: Bool { self == .valueIfWorn || self == .emptyIfUnworn }
}

/// What is taken of a field.
public enum Taking: Sendable, Hashable {
  /// Its number.
  case itself
  /// Of all elements that belong together, such as the samples of a series, the mean of its numbers.
  case average
  /// The least of them.
  case lowest
  /// The largest of them.
  case highest
  /// The time from the element's begin to this end of it.
  case length
  /// That the element is there: it is counted.
  case once
  /// The element's length, where the field has one of these codes; nothing where it has another. Of elements that belong
  /// together the sum.
  case time([String])
  /// The number for which a code stands; nothing for other codes.
  case code([String: Int])

  /// How the documentation says it; empty for the number as it is.
  public var words: String {
    switch self {
    case .itself: ""
    case .average: "mean of the series"
    case .lowest: "least of the series"
    case .highest: "largest of the series"
    case .length: "length of the interval"
    case .once: "counted"
    case .time(let codes): "length, where it is \(codes.joined(separator: ", "))"
    case .code(let numbers):
      numbers.sorted { $0.key < $1.key }.map { "\($0.key) is \($0.value)" }.joined(separator: ", ")
    }
  }
}

/// What one field of a provider's element means for one metric.
public struct FieldRule: Sendable, Hashable {
  /// Where it stands in the element, with points between keys. Several paths with ` + ` between them are added up: null if
  /// one of them is null, else absent if one of them is absent.
  public var path: String
  /// Where the power of ten stands by which the number is to be multiplied; empty where it is written as it is.
  public var exponent: String
  /// The metric in our catalogue.
  public var metric: String
  /// The UCUM unit in which it is written; where the document names units, that of the metric.
  public var unit: String
  /// Where the document names units: its words for those that are taken, and each in UCUM. Empty: `unit` always.
  public var units: [String: String]
  /// What is taken of the field.
  public var taking: Taking
  /// What a zero means.
  public var zero: Meaning
  /// What `null` means.
  public var null: Meaning
  /// What it means that the field is not there.
  public var absent: Meaning
  /// What a reader of the table should know besides.
  public var note: String

  /// A field, and what each of its states means.
  public init(
    _ path: String, exponent: String = "", _ metric: String, _ unit: String, in units: [String: String] = [:],
    taking: Taking = .itself, zero: Meaning, null: Meaning, absent: Meaning, note: String = ""
  ) {
    self.path = path
    self.exponent = exponent
    self.metric = metric
    self.unit = unit
    self.units = units
    self.taking = taking
    self.zero = zero
    self.null = null
    self.absent = absent
    self.note = note
  }
}

/// A state of a whole element that says what all its fields mean, whatever stands in them.
public struct StateRule: Sendable, Hashable {
  /// The field that names the state, with points between keys.
  public var path: String
  /// What stands in it: a text, a number as it is written, `true` or `false`.
  public var state: String
  /// What each field means then; never a value, which only a field can have.
  public var meaning: Meaning
  /// What a reader of the table should know besides.
  public var note: String

  /// A state, and what it means for each field.
  public init(_ path: String, is state: String, _ meaning: Meaning, note: String = "") {
    self.path = path
    self.state = state
    self.meaning = meaning
    self.note = note
  }
}

/// One kind of element that a format has, such as a day's summary or a night.
public struct Shape: Sendable, Hashable {
  /// What an element becomes.
  public enum Kind: String, Sendable, Hashable {
    /// Day entries: the provider's own total of a day.
    case days
    /// Records, which can be deleted one by one and are added up here.
    case records
  }

  /// Which local date a record counts to, where the element names no date itself.
  public enum DayRule: Sendable, Hashable {
    /// That of its begin.
    case start
    /// Each that it touches: its number is split by the time on it.
    case split
    /// That on which its night ends. Nights run from 18:00 to 18:00 on the clock of its end.
    case wake
  }

  /// How the provider calls it; a delivery's `resource` where the document does not show what it is.
  public var name: String
  /// Where its elements stand in the document.
  public var place: String
  /// Whether an element is a day's summary or a record with an id of its own.
  public var kind: Kind
  /// States of a whole element, the first that applies counting; where none does, its fields speak.
  public var states: [StateRule]
  /// The fields that are taken.
  public var fields: [FieldRule]
  /// Which local date an element counts to, and how that is known.
  public var day: String
  /// The same for the code; `start` also where the element names its date.
  public var dayRule: DayRule
  /// What makes two elements the same, and which of them counts.
  public var identity: String
  /// What it means that a day that was asked for has no element.
  public var missingElement: Meaning
  /// How a deletion is said; that there is none, if there is none.
  public var deletions: String
  /// What shows that the device was worn or carried; that nothing does, if nothing does.
  public var wear: String
  /// Fields and kinds of elements that are known and deliberately not taken.
  public var ignored: [String]

  /// A kind of element. Everything must be said: an empty sentence keeps the whole format from loading.
  public init(
    _ name: String, place: String, kind: Kind, states: [StateRule] = [], fields: [FieldRule], day: String,
    dayRule: DayRule = .start,
    identity: String, missingElement: Meaning, deletions: String, wear: String, ignored: [String] = []
  ) {
    self.name = name
    self.place = place
    self.kind = kind
    self.states = states
    self.fields = fields
    self.day = day
    self.dayRule = dayRule
    self.identity = identity
    self.missingElement = missingElement
    self.deletions = deletions
    self.wear = wear
    self.ignored = ignored
  }
}

/// The table of a format: what its producer means, where that is known from, and nothing left to guess.
public struct FormatDeclaration: Sendable, Hashable {
  /// The name in a delivery's `format`, such as `oura`.
  public var name: String
  /// What it is, in a few words.
  public var title: String
  /// The platform under which its readings are kept; nil where the document itself says which.
  public var platform: String?
  /// Where the document itself says which: the providers that it may name, in small letters, and each one's platform.
  public var platforms: [String: String]
  /// The store under which they are kept where the delivery names no account. What comes by different ways from one
  /// platform needs different stores: within one store everything is added up.
  public var store: String
  /// Its kinds of elements.
  public var shapes: [Shape]
  /// How the provider says that a read failed.
  public var errors: String
  /// Where the facts are from.
  public var sources: [String]

  /// A format.
  public init(
    name: String, title: String, platform: String?, platforms: [String: String] = [:], store: String = "",
    shapes: [Shape], errors: String, sources: [String]
  ) {
    self.name = name
    self.title = title
    self.platform = platform
    self.platforms = platforms
    self.store = store
    self.shapes = shapes
    self.errors = errors
    self.sources = sources
  }

  /// The kind of element of this name; nil if there is none.
  public func shape(_ name: String) -> Shape? { shapes.first { $0.name == name } }
}

/// Reads one format. A pure function: the same delivery gives the same payload.
public protocol ProviderFormat: Sendable {
  /// The table by which it reads.
  static var declaration: FormatDeclaration { get }

  /// Says in our words what a delivery says.
  ///
  /// - Throws: a fault with which nothing of the delivery can be used. What is wrong with one element is set aside in
  ///   the draft instead.
  static func read(_ delivery: Delivery, into draft: inout PayloadDraft) throws(PayloadFault)
}
