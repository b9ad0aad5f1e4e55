#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// What one read of one data store on behalf of one user found out, as the client sends it.
///
/// Every list may be empty, which says nothing. What a read did not find is said in words by an entry's outcome, never by
/// the absence of a number.
public struct SyncPayload: Sendable, Hashable {
  /// The one version of the wire form that this module writes.
  public static let schema = "dailymetricd.sync/1"

  /// Chosen by the client, once for each payload: the same id again is a repetition of the same payload.
  public var payloadID: UUID
  /// The person whom the data describe.
  public var userID: UUID
  /// Where the data were read.
  public var origin: Origin
  /// When and how they were read.
  public var read: ReadContext
  /// The person's time zones, each from an instant on.
  public var timeZones: [TimeZoneStatement]
  /// Boundaries of what can be read.
  public var windows: [ReadWindow]
  /// What the platform said about permissions.
  public var permissions: [Permission]
  /// Evidence that a device was worn or carried.
  public var presence: [Presence]
  /// One entry for each metric and day that was read.
  public var days: [DayEntry]
  /// What was seen of single hours. They change no day.
  public var hours: [HourEntry]
  /// Platform records with their ids.
  public var records: [RecordEntry]
  /// Workouts with their samples. Each counts as a record of the metrics workout_count and workout_minutes.
  public var workouts: [Workout]
  /// Explicit deletions, the one thing that removes a measured value.
  public var deletions: [Deletion]
  /// How far the import of a metric's past has come.
  public var backfill: [BackfillState]
  /// Metrics of which this same read returned a sample that the reading app had not written itself: proof that they can be
  /// read where the platform hides a denial.
  public var readable: [String]
  /// Ranges of days at which this read looked.
  public var looked: [LookedRange]

  /// A payload that says only where and when something was read; set the lists that have something to say.
  public init(payloadID: UUID, userID: UUID, origin: Origin, read: ReadContext = ReadContext()) {
    self.payloadID = payloadID
    self.userID = userID
    self.origin = origin
    self.read = read
    timeZones = []
    windows = []
    permissions = []
    presence = []
    days = []
    hours = []
    records = []
    workouts = []
    deletions = []
    backfill = []
    readable = []
    looked = []
  }
}

/// The data store that was read: a platform and, where it has several, which of its stores.
public struct Origin: Sendable, Hashable {
  /// Code of the platform, such as `healthkit` or `health_connect`.
  public var platform: String
  /// Which data store of the platform; empty where a person has only one.
  public var store: String
  /// Identifies the installation of the client; nil says nothing.
  public var installationID: String?
  /// Major version of the operating system; nil is unknown.
  public var osMajor: Int?
  /// Build of the client; nil is unknown.
  public var appBuild: String?

  /// A data store of a platform; an empty store is the platform's only one.
  public init(
    platform: String, store: String = "", installationID: String? = nil, osMajor: Int? = nil, appBuild: String? = nil
  ) {
    self.platform = platform
    self.store = store
    self.installationID = installationID
    self.osMajor = osMajor
    self.appBuild = appBuild
  }
}

/// When and how the store was read.
public struct ReadContext: Sendable, Hashable {
  /// Why the store was read.
  public enum Mode: String, Sendable, Encodable, CaseIterable {
    /// The usual read of what is new.
    case incremental
    /// An import of the past.
    case historyLoad = "history_load"
    /// A read of days that were read before.
    case reread
  }

  /// What the process that read knows about its own successful reads.
  public enum LastSuccess: Sendable, Hashable {
    /// It does not say.
    case unstated
    /// It never had one: its numbers are still initial values, none of which counts.
    case never
    /// The instant of the latest one.
    case at(Instant)
  }

  /// When the store was read, on the client's clock; nil is taken as the time of arrival.
  public var readAt: Instant?
  /// Why the store was read.
  public var mode: Mode
  /// Whether one failed day abandons all days of the payload; nil means yes for a history load and no otherwise.
  public var allOrNothing: Bool?
  /// What the process knows about its own successful reads.
  public var lastSuccess: LastSuccess
  /// Joins the payloads of a history load in several pages; nil for a payload that stands alone.
  public var loadID: String?
  /// Number of this page of the load, from 1; nil means 1.
  public var page: Int?
  /// Whether this is the last page of the load; nil means no.
  public var finalPage: Bool?

  /// A read of which nothing more is known than what is given.
  public init(
    readAt: Instant? = nil, mode: Mode = .incremental, allOrNothing: Bool? = nil, lastSuccess: LastSuccess = .unstated,
    loadID: String? = nil, page: Int? = nil, finalPage: Bool? = nil
  ) {
    self.readAt = readAt
    self.mode = mode
    self.allOrNothing = allOrNothing
    self.lastSuccess = lastSuccess
    self.loadID = loadID
    self.page = page
    self.finalPage = finalPage
  }
}
