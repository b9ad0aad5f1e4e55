/// What decides how far back an app may read from Health Connect.
public struct HealthConnectAccess: Sendable, Hashable {
  /// How far back may be read.
  public enum Limit: Sendable, Hashable {
    /// Without limit.
    case none
    /// From this instant on. Health Connect does not fail for what is older: it leaves it out.
    case from(Instant)
  }

  /// How many days before the first grant can be read without the history permission.
  public static let daysBeforeFirstGrant: Int64 = 30
  /// The first Android whose apps may read their own data without limit.
  private static let firstOwnDataRelease = 14

  /// When any permission was first granted to this installation; a new installation begins anew.
  public var firstGrantAt: Instant
  /// Whether the permission to read history was granted.
  public var historyPermission: Bool
  /// Major version of Android.
  public var osMajor: Int

  /// The access of this installation.
  public init(firstGrantAt: Instant, historyPermission: Bool, osMajor: Int) {
    self.firstGrantAt = firstGrantAt
    self.historyPermission = historyPermission
    self.osMajor = osMajor
  }

  /// How far back may be read; `ownData` is true for records that this app has written itself.
  public func limit(ownData: Bool) -> Limit {
    if historyPermission || (ownData && osMajor >= HealthConnectAccess.firstOwnDataRelease) { return .none }
    // Days of 24 hours: the boundary is an instant, and its day is cut.
    let length = HealthConnectAccess.daysBeforeFirstGrant * 86_400_000_000
    return .from(Instant(microseconds: firstGrantAt.microseconds - length))
  }

  /// The boundary as a payload states it; a nil metric means all. `Origin.osMajor` has to be sent with it.
  public func window(metric: String? = nil, ownData: Bool) -> ReadWindow {
    ReadWindow(
      metric: metric, boundary: .history(firstGrantAt: firstGrantAt, permission: historyPermission, ownData: ownData))
  }
}
