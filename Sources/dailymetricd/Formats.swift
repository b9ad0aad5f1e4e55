import PayloadDecoder
import ProviderFormats

/// The formats that this build takes besides its own.
enum Formats {
  static func load() throws(Failure) -> FormatCatalogue {
    do throws(CatalogueError) { return try FormatCatalogue.builtIn() } catch {
      throw Failure(code: .internalError, message: "This build holds a format that it cannot use: \(error)")
    }
  }
}
