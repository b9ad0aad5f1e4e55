/// The tables of the formats as a page for people.
public enum FormatPages {
  /// One chapter per format, in Markdown.
  public static func markdown(_ catalogue: FormatCatalogue) -> String {
    catalogue.declarations.map(chapter).joined(separator: "\n\n")
  }

  private static func chapter(_ table: FormatDeclaration) -> String {
    let facts = [
      "Platform: \(platform(of: table))",
      "Store, where the delivery names no account: \(table.store.isEmpty ? "the platform's own" : "`\(table.store)`")",
      "Errors: \(table.errors)",
      "Known from: \(table.sources.joined(separator: "; "))",
    ]
    // Kinds of elements of which the same holds are said together.
    var groups: [[Shape]] = []
    for shape in table.shapes {
      if let index = groups.firstIndex(where: { self.facts(of: $0) == self.facts(of: [shape]) }) {
        groups[index].append(shape)
      } else {
        groups.append([shape])
      }
    }
    return ["## `\(table.name)`", "\(table.title).", list(facts)].joined(separator: "\n\n") + "\n\n"
      + groups.map(section).joined(separator: "\n\n")
  }

  private static func platform(of table: FormatDeclaration) -> String {
    if let platform = table.platform { return "`\(platform)`" }
    let said = table.platforms.sorted { $0.key < $1.key }.map { "`\($0.value)` where it says `\($0.key)`" }
    return "as the document says: \(said.joined(separator: ", "))"
  }

  private static func section(_ shapes: [Shape]) -> String {
    let rows = shapes.flatMap { shape in shape.fields.map { row($0, of: shape, among: shapes) } }
    let head = ["| Field | Metric | Unit | 0 | null | not there | Note |", "|---|---|---|---|---|---|---|"]
    return "### \(shapes.map(\.name).joined(separator: ", "))\n\n\(list(facts(of: shapes)))\n\n"
      + (head + rows).joined(separator: "\n")
  }

  private static func facts(of shapes: [Shape]) -> [String] {
    guard let shape = shapes.first else { return [] }
    let facts =
      [
        "Kept as \(shape.kind == .days ? "day entries" : "records")", "Day: \(shape.day)",
        "Identity: \(shape.identity)",
        "A day that was asked for and has no element: \(shape.missingElement.words)", "Deletions: \(shape.deletions)",
        "Worn: \(shape.wear)",
      ]
      + shape.states.map { rule in
        "Each field where `\(rule.path)` is `\(rule.state)`: \(rule.meaning.words). \(rule.note)"
      }
    return shape.ignored.isEmpty ? facts : facts + ["Not taken: \(shape.ignored.joined(separator: "; "))"]
  }

  private static func row(_ rule: FieldRule, of shape: Shape, among shapes: [Shape]) -> String {
    let words = rule.units.keys.sorted().map { "`\($0)`" }.joined(separator: ", ")
    let note = [rule.taking.words, rule.note].filter { !$0.isEmpty }.joined(separator: "; ")
    let path = rule.exponent.isEmpty ? "`\(rule.path)`" : "`\(rule.path)` × 10^`\(rule.exponent)`"
    return "| \(shapes.count > 1 ? "\(shape.name): " : "")\(path) | `\(rule.metric)` | "
      + "\(words.isEmpty ? rule.unit : words) | \(rule.zero.words) | \(rule.null.words) | \(rule.absent.words) | "
      + "\(note) |"
  }

  private static func list(_ facts: [String]) -> String { facts.map { "- \($0)" }.joined(separator: "\n") }
}
