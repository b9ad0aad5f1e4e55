// Must not compile: it is not marked with 'try'
import Foundation
import HealthPayload

/// Pages of a load, whether or not its days have failed.
func pages(_ load: HistoryLoad) -> [SyncPayload] {
  load.pages()
}
