/// The looks of pictures and pages. Every text has a contrast of at least 4.5 to 1 on its ground, in light and in dark.
enum Style {
  private static let light = [
    "paper": "#fff", "ink": "#1b1b1b", "quiet": "#555", "rule": "#d9d9d9", "line": "#0b5394", "zero": "#9c2f00",
    "hatch": "#8a8a8a", "hatch-ground": "#eee", "silence": "#f1f1f1", "full": "#0b5394", "on-full": "#fff",
    "band": "#c9c9c9",
    "part": "#b9d4ee",
  ]
  private static let dark = [
    "paper": "#15181b", "ink": "#ececec", "quiet": "#b4bac0", "rule": "#3c4247", "line": "#7db8f7", "zero": "#ffb27a",
    "hatch": "#8b939a", "hatch-ground": "#262b2f", "silence": "#20252a", "full": "#7db8f7", "on-full": "#10202f",
    "band": "#4a5158",
    "part": "#1f4a75",
  ]

  /// The colours of a page as variables.
  static var colours: String {
    func list(_ colours: [String: String]) -> String {
      colours.sorted { $0.key < $1.key }.map { "--\($0.key):\($0.value)" }.joined(separator: ";")
    }
    return """
      :root{color-scheme:light dark;\(list(light))}
      @media screen and (prefers-color-scheme:dark){:root{\(list(dark))}}

      """
  }

  /// The style of a picture that is a file of its own. Not every program that shows SVG knows variables.
  static var alone: String {
    func filled(_ colours: [String: String]) -> String {
      colours.reduce(picture) { $0.replacing("var(--\($1.key))", with: $1.value) }
    }
    return "\(filled(light))@media screen and (prefers-color-scheme:dark){\n\(filled(dark))}\n"
  }

  /// The parts of a picture.
  static let picture = """
    .chart{font:12px system-ui,sans-serif;fill:var(--ink)}
    .chart .head{font-size:15px;font-weight:600}
    .chart .paper{fill:var(--paper)}
    .chart .letter{font-weight:600}
    .chart .grid{stroke:var(--rule)}
    .chart .axis{stroke:var(--quiet)}
    .chart .earliest{stroke:var(--quiet);stroke-width:1.5;stroke-dasharray:1 3}
    .chart .known{fill:none;stroke:var(--line);stroke-width:1.5;stroke-linejoin:round}
    .chart .across{fill:none;stroke:var(--line);stroke-width:1.5;stroke-dasharray:5 4}
    .chart .value{fill:var(--line)}
    .chart .partial{fill:var(--paper);stroke:var(--line);stroke-width:1.5}
    .chart .zero{fill:var(--zero)}
    .chart .silence{fill:var(--silence)}
    .chart .gap{stroke:var(--paper)}
    .chart .gap.narrow{fill:var(--hatch);stroke:none}
    .hatch-ground{fill:var(--hatch-ground)}
    .hatch-line{stroke:var(--hatch);stroke-width:2}

    """

  /// The page around the pictures: one column, on paper too.
  static let page = """
    *{box-sizing:border-box}
    body{margin:0 auto;max-width:49.5rem;padding:1rem;background:var(--paper);color:var(--ink);\
    font:1rem/1.5 system-ui,sans-serif}
    h1{font-size:1.5rem;line-height:1.25;margin:0 0 .25rem}
    h1 code{font-size:1rem;overflow-wrap:anywhere}
    h2{font-size:1.25rem;border-top:2px solid var(--rule);padding-top:1rem;margin:2rem 0 .25rem}
    h3{font-size:1rem;margin:1.25rem 0 .25rem}
    p{margin:.25rem 0 .75rem}
    a{color:var(--line)}
    .quiet{color:var(--quiet)}
    .answer{font-size:1.125rem;font-weight:600}
    figure{margin:.5rem 0}
    figure svg{display:block;width:100%;height:auto}
    figure .narrow{display:none}
    figcaption ul,ul.marks{list-style:none;margin:.25rem 0;padding:0;font-size:.875rem}
    figcaption svg.key{display:inline-block;width:1.1em;height:1em;vertical-align:-.15em;margin-right:.35em}
    .marks{display:flex;flex-wrap:wrap;gap:0 1rem}
    li.letter{padding-left:1.5em;text-indent:-1.5em}
    .letter b{display:inline-block;width:1.5em;text-indent:0}
    table{border-collapse:collapse;width:100%;font-size:.9375rem}
    th,td{text-align:left;vertical-align:top;padding:.25rem .75rem .25rem 0;border-bottom:1px solid var(--rule)}
    th.number,td.number{text-align:right;font-variant-numeric:tabular-nums}
    .day{white-space:nowrap}
    .months{display:flex;flex-wrap:wrap;align-items:flex-start;gap:.75rem 1.5rem}
    .month{width:auto;font-size:.75rem;border-collapse:separate;border-spacing:2px}
    .month caption{text-align:left;font-size:.875rem}
    .month th,.month td{width:1.5rem;height:1.5rem;padding:0;border:0;text-align:center;vertical-align:middle}
    .month th{font-weight:400;color:var(--quiet)}
    .month abbr{text-decoration:none}
    td.value,.cell.value{background:var(--full);color:var(--on-full)}
    td.zero,.cell.zero{background:var(--paper);color:var(--zero);box-shadow:inset 0 0 0 2px var(--zero);font-weight:700}
    td.partial,.cell.partial{background:var(--paper);box-shadow:inset 0 0 0 2px var(--line)}
    td.gap,.cell.gap{background:repeating-linear-gradient(135deg,var(--hatch-ground) 0 4px,var(--band) 4px 6px)}
    td.silence,.cell.silence{background:var(--silence)}
    td.part{background:linear-gradient(to top,var(--part) var(--share),var(--silence) var(--share))}
    .cell{display:inline-block;width:.9em;height:.9em;margin-right:.35em;\
    vertical-align:-.1em}
    .hidden{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
    details{margin:1rem 0}
    summary{cursor:pointer}
    @media (max-width:600px){figure .wide{display:none}figure .narrow{display:block}\
    .gaps thead{display:none}.gaps tr,.gaps td{display:block}.gaps td{border:0;padding:0}\
    .gaps tr{border-bottom:1px solid var(--rule);padding:.4rem 0}}
    @media print{body{max-width:none;padding:0;font-size:10pt}*{print-color-adjust:exact;-webkit-print-color-adjust:exact}\
    section,figure,.month,tr{break-inside:avoid}section.metric{break-inside:auto;break-before:page}.metric h2{margin:0;border:0;padding:0}h2,h3{break-after:avoid}\
    details{display:none}figure .wide{display:block}figure .narrow{display:none}}

    """
}
