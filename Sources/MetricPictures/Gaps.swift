import HealthPayload

/// Unknown days that follow each other and have one reason.
struct Band: Equatable {
  /// Their places among the days of the series.
  let days: Range<Int>
  /// The reason's code; nil where there are no rows.
  let reason: String?
}

/// What a picture says about one reason.
struct BandKey: Equatable {
  /// The reason's code; nil where there are no rows.
  let reason: String?
  /// How it is marked: a, b, ...; - where there are no rows.
  let letter: String
  /// How many days have it.
  let count: Int
}

/// A line between two known days.
struct Stroke: Equatable {
  enum Style: Equatable {
    case solid
    case dashed
  }

  /// Places among the days of the series.
  let from: Int
  let to: Int
  let style: Style
}

extension Series {
  /// The unknown days.
  var bands: [Band] {
    var bands: [Band] = []
    for (index, day) in days.enumerated() {
      guard case .unknown(let reason) = day.state else { continue }
      if let last = bands.last, last.days.upperBound == index, last.reason == reason {
        bands[bands.count - 1] = Band(days: last.days.lowerBound..<index + 1, reason: reason)
      } else {
        bands.append(Band(days: index..<index + 1, reason: reason))
      }
    }
    return bands
  }

  /// The reasons of the unknown days, in the order in which they appear; days without a row last.
  var bandKeys: [BandKey] {
    var order: [String?] = []
    var counts: [String?: Int] = [:]
    for band in bands {
      if counts[band.reason] == nil { order.append(band.reason) }
      counts[band.reason, default: 0] += band.days.count
    }
    let reasons = order.filter { $0 != nil } + order.filter { $0 == nil }
    return reasons.enumerated().compactMap { place, reason in
      let letter = reason == nil ? "-" : String(UnicodeScalar(UInt8(ascii: "a") + UInt8(place % 26)))
      return counts[reason].map { BandKey(reason: reason, letter: letter, count: $0) }
    }
  }

  /// The letters of the bands and their middles, in days from the first one's edge; as many as stand so many days apart.
  func letters(apart spacing: Double) -> [(middle: Double, letter: String)] {
    let letters = Dictionary(uniqueKeysWithValues: bandKeys.map { ($0.reason, $0.letter) })
    var last = -Double.infinity
    return bands.compactMap { band in
      let middle = Double(band.days.lowerBound + band.days.upperBound) / 2
      guard band.reason != nil, middle - last >= spacing, let letter = letters[band.reason] else { return nil }
      last = middle
      return (middle, letter)
    }
  }

  /// The lines. A solid one joins neighbours only, whatever the series says: no line is drawn through a day that is not
  /// known, but for the dashed ones of metrics whose gaps are normal.
  var strokes: [Stroke] {
    var strokes: [Stroke] = []
    var last: Int?
    for (index, day) in days.enumerated() where day.position != nil {
      if let last {
        switch day.connector {
        case .solid where last == index - 1: strokes.append(Stroke(from: last, to: index, style: .solid))
        case .dashed where metric.isIntermittent: strokes.append(Stroke(from: last, to: index, style: .dashed))
        case .none, .solid, .dashed: break
        }
      }
      last = index
    }
    return strokes
  }

  /// Whether any day is known.
  var hasData: Bool { days.contains { $0.position != nil } }

  /// The place of the earliest day that is held, if it is among the days.
  var earliestIndex: Int? {
    guard let earliest else { return nil }
    return days.firstIndex { $0.date == earliest.date }
  }
}
