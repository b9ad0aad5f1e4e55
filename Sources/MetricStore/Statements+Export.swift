/// The SQL texts by which all that is held of a person is read.
extension Statements {
  /// One state of all tables, however long it takes; whoever reads it may be slow.
  static let beginSnapshot = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"
  static let allowPauses = "SELECT set_config('idle_in_transaction_session_timeout', '15min', true)"
  /// $1 person.
  static let isHeld = "SELECT intake.is_held($1)"
  static let exportSections = "SELECT section, at_once FROM intake.export_sections() ORDER BY place"
  /// $1 person, $2 section.
  static let openExport = "SELECT intake.open_export($1, $2)"
  static let fetchItem = "FETCH FORWARD 1 FROM export_items"
  static let fetchItems = "FETCH FORWARD 500 FROM export_items"
  static let closeExport = "CLOSE export_items"

  /// Its part of the list of all statements.
  static var export: [(name: String, text: String)] {
    [
      ("allowPauses", allowPauses), ("isHeld", isHeld), ("exportSections", exportSections), ("openExport", openExport),
    ]
  }
}
