import MetricStore
import PayloadDecoder

/// The catalogue that this build was made with, for commands that need no database.
enum EmbeddedCatalogue {
  static func load() throws(Failure) -> Catalogue {
    let (metrics, units) = try storing { () throws(StoreError) in
      (try EmbeddedFile.named("catalogue/metrics.csv"), try EmbeddedFile.named("catalogue/units.csv"))
    }
    do throws(CatalogueError) {
      return try Catalogue(metricsCSV: metrics.bytes, unitsCSV: units.bytes)
    } catch {
      throw Failure(code: .internalError, message: "This build holds a catalogue that it cannot read: \(error)")
    }
  }
}
