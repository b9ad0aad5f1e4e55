extension Unicode.Scalar {
  /// Whether it is no sign but a command: to a terminal (C0, DEL, C1), to the order in which letters are shown, or to begin a line.
  ///
  /// A text of others that holds one can clear a screen, forge a line, or show something else than it says.
  package var isCommand: Bool {
    switch value {
    case 0..<0x20, 0x7F..<0xA0: true
    // Left-to-right, right-to-left and Arabic marks; embeddings and overrides; isolates.
    case 0x200E...0x200F, 0x061C, 0x202A...0x202E, 0x2066...0x2069: true
    // Line and paragraph separator.
    case 0x2028...0x2029: true
    default: false
    }
  }
}

extension String {
  /// On one line, with each command written out: `\u{1b}[2J`. For a text of others inside a line of one's own.
  package var onOneLine: String { writingOut { _ in true } }

  /// With each command written out but line feeds and tabs. For a text whose lines are one's own.
  package var inVisibleLines: String { writingOut { $0 != "\n" && $0 != "\t" } }

  /// Whether it is certain that it holds no command: it has none but letters of ASCII. A quick look, for texts that are many.
  package var isPlain: Bool { utf8.allSatisfy { (0x20..<0x7F).contains($0) } }

  /// Without any commands. For a picture, where letters have a place of their own.
  package var withoutCommands: String {
    String(String.UnicodeScalarView(unicodeScalars.filter { !$0.isCommand }))
  }

  /// The same JSON with each command written as JSON writes them: `\u001b`. In JSON that has no white space but blanks.
  package var inVisibleJSON: String {
    writingOut({ _ in true }) { "\\u" + String(repeating: "0", count: 4 - $0.count) + $0 }
  }

  private func writingOut(
    _ isUnwanted: (Unicode.Scalar) -> Bool, as written: (String) -> String = { "\\u{\($0)}" }
  ) -> String {
    guard unicodeScalars.contains(where: { $0.isCommand && isUnwanted($0) }) else { return self }
    var text = ""
    for scalar in unicodeScalars {
      if scalar.isCommand, isUnwanted(scalar) {
        text += written(String(scalar.value, radix: 16))
      } else {
        text.unicodeScalars.append(scalar)
      }
    }
    return text
  }
}
