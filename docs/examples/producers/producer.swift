import Foundation
import HealthPayload

// Writes one sync payload as a line:  producer | dailymetricd enqueue -

guard let person = UUID(uuidString: "4f9d1c2e-0b7a-4c1d-9e55-6a0c8c2b1f11"),
  let payloadID = UUID(uuidString: "0b6f6f9e-8a45-4b53-9a1c-53d1e1a0a001"), let day = LocalDate("2026-11-26")
else { fatalError("These are fixed texts.") }

var payload = SyncPayload(
  payloadID: payloadID, userID: person, origin: Origin(platform: "health_connect", store: "phone-1"),
  read: ReadContext(readAt: Instant("2026-11-28T07:00:00Z")))
// A number is a number, and a day without one says why. Neither can be mistaken for the other.
payload.days = [
  DayEntry(metric: "steps", localDate: day, outcome: .value(ExactNumber(8412)), sources: ["Watch"]),
  DayEntry(
    metric: "steps", localDate: day.adding(days: 1), outcome: .failed(code: "HealthConnectException.8")),
]
print(String(decoding: try JSONEncoder().encode(payload), as: UTF8.self))
