/// The tables of the formats as a page for people.
public enum FormatPages {
  /// One chapter per format, in Markdown.
  public static func markdown(_ catalogue: FormatCatalogue) -> String {
    catalogue.declarations.map(chapter).joined(separator: "\n\n")
  }

  private static func chapter(_ table: FormatDeclaration) -> String {
    let facts = [
      "Platform: \(table.platform.map { "`\($0)`" } ?? "as the document says")", "Errors: \(table.errors)",
      "Known from: \(table.sources.joined(separator: "; "))",
    ]
    return ["## `\(table.name)`", "\(table.title).", list(facts)].joined(separator: "\n\n") + "\n\n"
      + table.shapes.map(section).joined(separator: "\n\n")
  }

  private static func section(_ shape: Shape) -> String {
    var facts = [
      "Kept as \(shape.kind == .days ? "day entries" : "records")", "Day: \(shape.day)", "Identity: \(shape.identity)",
      "A day that was asked for and has no element: \(shape.missingElement.words)", "Deletions: \(shape.deletions)",
      "Worn: \(shape.wear)",
    ]
    facts += shape.states.map { rule in
      "Each field where `\(rule.path)` is `\(rule.state)`: \(rule.meaning.words). \(rule.note)"
    }
    if !shape.ignored.isEmpty { facts.append("Not taken: \(shape.ignored.joined(separator: "; "))") }
    let rows = shape.fields.map { rule in
      "| \(field(rule)) | `\(rule.metric)` | \(rule.unit) | \(rule.zero.words) | \(rule.null.words) | "
        + "\(rule.absent.words) | \(rule.note) |"
    }
    let head = ["| Field | Metric | Unit | 0 | null | not there | Note |", "|---|---|---|---|---|---|---|"]
    return "### \(shape.name)\n\n\(list(facts))\n\n" + (head + rows).joined(separator: "\n")
  }

  private static func field(_ rule: FieldRule) -> String {
    rule.exponent.isEmpty ? "`\(rule.path)`" : "`\(rule.path)` × 10^`\(rule.exponent)`"
  }

  private static func list(_ facts: [String]) -> String { facts.map { "- \($0)" }.joined(separator: "\n") }
}
