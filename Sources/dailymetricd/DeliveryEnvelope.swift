import FoundationEssentials
import HealthPayload
import MetricDaemon
import ProviderFormats

/// What is said on the command line about documents in another format, put around each of them.
struct DeliveryEnvelope {
  /// The format of the documents.
  let format: String
  private let opening: [UInt8]

  /// Nil where no format is named: then the documents say themselves what they are.
  init?(_ call: Call, receivedAt: Instant) throws(Failure) {
    let fields = try call.setting { (values) throws(SettingError) in try Fields(values, receivedAt) }
    guard let name = fields.format else { return nil }
    let catalogue = try Formats.load()
    guard catalogue.format(named: name) != nil else {
      let known = catalogue.declarations.map(\.name).joined(separator: ", ")
      throw Failure(code: .usage, message: "there is no format \(name.onOneLine); there are \(known)")
    }
    guard fields.userID != nil else {
      throw Failure(code: .usage, message: "--format needs --user: a provider's document does not name our person")
    }
    format = name
    opening = try fields.json().dropLast() + Array(#","body":"#.utf8)
  }

  /// How many bytes stand before the document.
  var length: Int { opening.count }

  /// The delivery of a document.
  func wrap(_ document: [UInt8]) -> [UInt8] { opening + document + [UInt8(ascii: "}")] }

  private struct Fields: Encodable {
    var format: String?
    var userID: UUID?
    var account: String?
    var readAt: Instant
    var timeZone: String?
    var from: LocalDate?
    var to: LocalDate?
    var resource: String?
    var page: Int?
    var httpStatus: Int?
    var osMajor: Int?

    enum CodingKeys: String, CodingKey {
      case format, account, from, to, resource, page
      case userID = "user_id"
      case readAt = "read_at"
      case timeZone = "time_zone"
      case httpStatus = "http_status"
      case osMajor = "os_major"
    }

    init(_ values: SettingValues, _ receivedAt: Instant) throws(SettingError) {
      format = try values.text(.documentFormat)
      userID = try values.uuid(.user)
      account = try values.text(.account)
      readAt = try values.instant(.readAt) ?? receivedAt
      timeZone = try values.text(.timeZone)
      from = try values.date(.firstDay)
      to = try values.date(.lastDay)
      resource = try values.text(.resource)
      page = try values.optionalNumber(.page)
      httpStatus = try values.optionalNumber(.httpStatus)
      osMajor = try values.optionalNumber(.osMajor)
    }

    func json() throws(Failure) -> [UInt8] {
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
      do { return Array(try encoder.encode(self)) } catch {
        throw Failure(code: .usage, message: "the delivery's fields cannot be written as JSON")
      }
    }
  }
}
