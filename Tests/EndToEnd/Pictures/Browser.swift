import Foundation
import TestSupport

/// A real Chromium without a window.
struct Browser {
  private let program: String

  /// - Throws: if none is installed, with what to type.
  init() throws {
    let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin").split(separator: ":")
    let names = ["chromium", "chromium-browser", "google-chrome"]
    let paths = names.flatMap { name in folders.map { "\($0)/\(name)" } }
    guard let program = paths.first(where: { FileManager.default.isExecutableFile(atPath: $0) }) else {
      throw TestSupportError("no Chromium to show pages in; run scripts/setup.sh test, or apt-get install chromium")
    }
    self.program = program
  }

  /// The page's elements after it was laid out and its scripts have run.
  func dom(_ html: String, isDark: Bool = false) async throws -> String {
    let folder = try temporaryDirectory()
    let page = folder.appending(path: "page.html")
    try Data(html.utf8).write(to: page)
    let result = try await run(
      program,
      [
        // The page is our own; as root, and in most containers, there is no sandbox to be had.
        "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars", "--no-first-run",
        "--user-data-dir=\(folder.appending(path: "profile").path)", "--window-size=1200,1000",
        "--blink-settings=preferredColorScheme=\(isDark ? 0 : 1)", "--dump-dom", page.absoluteString,
      ], environment: ["HOME": folder.path])
    guard result.status == 0 else { throw TestSupportError("Chromium failed: \(result.stderr.suffix(500))") }
    return result.stdout
  }
}

/// What a browser measured on a page.
struct Layout {
  private static let policy =
    "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">"
  private let answers: [String: String]

  /// Shows a page and measures it with a script of the test's own, which the page's policy would not let run.
  init(_ html: String, width: Int, isDark: Bool = false, browser: Browser) async throws {
    guard html.contains(Self.policy) else { throw TestSupportError("the page has no policy") }
    let page = html.replacing(Self.policy, with: "").replacing(
      "</body>", with: "<pre id=\"measured\"></pre><script>\(Self.script)</script></body>")
    // Windows have a least width; a frame has any, and for the page inside it is the screen.
    let escaped = page.replacing("&", with: "&amp;").replacing("\"", with: "&quot;")
    let frame = """
      <!doctype html><meta charset="utf-8"><meta name="color-scheme" content="light dark"><pre id="copied"></pre>
      <iframe style="border:0;width:\(width)px;height:900px" srcdoc="\(escaped)" onload="document.getElementById('copied')
      .textContent = this.contentDocument.getElementById('measured').textContent"></iframe>
      """
    let dom = try await browser.dom(frame, isDark: isDark)
    guard let text = dom.firstMatch(of: #/<pre id="copied">([^<]*)</pre>/#)?.1, !text.isEmpty else {
      throw TestSupportError("the script has not measured anything")
    }
    answers = Dictionary(
      uniqueKeysWithValues: text.split(separator: "\n").map { line in
        let parts = line.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        return (String(parts[0]), parts.count == 2 ? String(parts[1]) : "")
      })
  }

  subscript(_ name: String) -> String { answers[name] ?? "not measured" }

  private static let script = """
    const shown = e => e.getClientRects().length > 0;
    const charts = [...document.querySelectorAll('figure svg[role=img]')].filter(shown);
    let crossings = 0, across = 0, gaps = 0, marks = 0, inside = 0;
    for (const chart of charts) {
      const bands = [...chart.querySelectorAll('rect.gap, rect.silence')].map(b => b.getBoundingClientRect());
      gaps += bands.length;
      const touches = (x, y) => bands.some(b => x > b.left + 0.5 && x < b.right - 0.5 && y > b.top - 1 && y < b.bottom + 1);
      for (const path of chart.querySelectorAll('path')) {
        const matrix = path.getScreenCTM(), length = path.getTotalLength();
        let hit = false;
        for (let i = 0; i <= 500; i++) {
          const p = path.getPointAtLength(length * i / 500).matrixTransform(matrix);
          hit = hit || touches(p.x, p.y);
        }
        if (hit && path.matches('.across')) across++; else if (hit) crossings++;
      }
      for (const mark of chart.querySelectorAll('[data-date]')) {
        const box = mark.getBoundingClientRect();
        marks++;
        if (touches(box.left + box.width / 2, box.top + box.height / 2)) inside++;
      }
    }
    const numbers = c => c.match(/[\\d.]+/g).map(Number);
    const light = c => numbers(c).slice(0, 3).map(v => v / 255)
      .map(v => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4).reduce((s, v, i) => s + v * [0.2126, 0.7152, 0.0722][i], 0);
    const contrast = (a, b) => { const [x, y] = [light(a), light(b)]; return (Math.max(x, y) + 0.05) / (Math.min(x, y) + 0.05); };
    const grounds = e => {
      for (; e; e = e.parentElement) {
        const style = getComputedStyle(e);
        const stops = style.backgroundImage.match(/rgba?\\([^)]*\\)/g);
        if (stops) return stops;
        if (numbers(style.backgroundColor)[3] !== 0) return [style.backgroundColor];
      }
      return ['rgb(255, 255, 255)'];
    };
    let worst = 99, where = '';
    for (const e of document.querySelectorAll('body *')) {
      const own = [...e.childNodes].some(n => n.nodeType === 3 && n.data.trim());
      if (!own || !shown(e) || e.closest('.hidden, pre, script, desc, title')) continue;
      const ink = e.closest('svg') ? getComputedStyle(e).fill : getComputedStyle(e).color;
      for (const ground of grounds(e)) {
        const ratio = contrast(ink, ground);
        if (ratio < worst) { worst = ratio; where = e.className.baseVal ?? e.className; }
      }
    }
    const levels = [...document.querySelectorAll('h1,h2,h3,h4')].map(h => Number(h.tagName[1]));
    const skips = levels.filter((l, i) => i > 0 && l > levels[i - 1] + 1).length + (levels[0] === 1 ? 0 : 1);
    const small = Math.min(...charts.flatMap(c => [...c.querySelectorAll('text')]).map(t => t.getBoundingClientRect().height));
    const names = charts.filter(c => c.getAttribute('aria-labelledby').split(' ').every(i => document.getElementById(i)?.textContent)).length;
    document.getElementById('measured').textContent = Object.entries({
      charts: charts.length, names, gaps, crossings, across, marks, inside, width: innerWidth,
      overflow: Math.max(0, document.documentElement.scrollWidth - innerWidth), skips, small: Math.floor(small),
      contrast: worst >= 4.5 ? 'enough' : worst.toFixed(2) + ' at ' + where, scheme: getComputedStyle(document.body).backgroundColor,
    }).map(([k, v]) => k + '=' + v).join('\\n');
    """
}
