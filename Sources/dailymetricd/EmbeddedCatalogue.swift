import PayloadDecoder

/// The catalogue that this build was made with, for commands that need no database.
enum EmbeddedCatalogue {
  static func load() throws(Failure) -> Catalogue {
    throw Failure(code: .internalError, message: "this build has no catalogue yet")
  }
}
