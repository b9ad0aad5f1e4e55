import PayloadDecoder
import ProviderFormats

/// The formats that this build takes besides its own.
enum Formats {
  /// Made once, however many parts of a command ask for it.
  private static let builtIn = Result { () throws(CatalogueError) in try FormatCatalogue.builtIn() }

  static func load() throws(Failure) -> FormatCatalogue {
    do throws(CatalogueError) { return try builtIn.get() } catch {
      throw Failure(code: .internalError, message: "This build holds a format that it cannot use: \(error)")
    }
  }
}
