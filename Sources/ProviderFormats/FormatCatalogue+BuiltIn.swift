public import PayloadDecoder

extension FormatCatalogue {
  /// The formats of this build.
  ///
  /// - Throws: the first gap in a table.
  public static func builtIn() throws(CatalogueError) -> FormatCatalogue {
    try FormatCatalogue([
      AppleExport.self,
      Fitbit.self,
      Garmin.self,
      GoogleHealth.self,
      HealthAutoExport.self,
      HealthConnect.self,
      HealthKitAnchored.self,
      OpenWearables.self,
      Oura.self,
      Whoop.self,
      Withings.self,
    ])
  }
}
