extension Setting.Kind {
  /// What a value must be, as a clause; nil for what takes none.
  var wanted: String? {
    switch self {
    case .toggle: nil
    case .number(let range): "a whole number from \(range.lowerBound) to \(range.upperBound)"
    case .seconds(let range):
      "seconds from \(SettingValues.plain(range.lowerBound)) to \(SettingValues.plain(range.upperBound)), fractions allowed"
    case .text: "text"
    case .instant: "an instant as in RFC 3339"
    case .date: "a date"
    case .uuid: "a UUID"
    case .address: "a numeric address and a port"
    case .word(let words): "one of " + words.joined(separator: ", ")
    }
  }
}

extension Setting {
  /// What it does, with the unit where the sentence does not name it.
  var meaning: String {
    guard let unit, ["seconds", "percent"].contains(unit), !help.contains(unit) else { return help }
    return "\(unit); \(help)"
  }

  /// What it does, as a sentence. Names such as libpq keep their small letter.
  var sentence: String {
    let text = help.hasPrefix("libpq") ? help : help.prefix(1).uppercased() + help.dropFirst()
    return text.hasSuffix(".") ? text : text + "."
  }

  /// A value for whoever uncomments it: the default, or one that shows the form.
  var specimen: String {
    if let fallback { return fallback }
    if kind == .address { return "127.0.0.1:14711" }
    return self == .dsn ? "host=/run/postgresql dbname=dailymetric" : placeholder
  }

  /// From when on a changed value holds.
  var onset: String {
    Setting.reloaded.contains(self) ? "A reload takes it over." : "It holds from the next start on."
  }
}
