import HealthPayload

/// Words that a field may have, and what they mean. A class, as the tables are, because every entry looks words up.
final class WordList<Word: Sendable>: Sendable {
  let names: NameTable
  let words: [Word]

  init(_ words: [Word], name: (Word) -> String) {
    names = NameTable(words.map(name))
    self.words = words
  }
}

extension WordList where Word: RawRepresentable<String> & CaseIterable {
  /// The raw values of all cases.
  convenience init() { self.init(Array(Word.allCases), name: \.rawValue) }
}

/// The kinds of boundaries of a window.
enum WindowKind: String, CaseIterable {
  case authorizedFrom = "authorized_from"
  case platformFloor = "platform_floor"
  case countingSince = "counting_since"
  case historyWindow = "history_window"
}

/// All lists of words of the wire form.
final class Words: Sendable {
  static let shared = Words()

  /// The schemas that this build takes.
  let schemas = NameTable([SyncPayload.schema])
  /// The outcomes of a day, which are the kinds of judged days but for the one that only judging makes.
  let outcomes = WordList(JudgedDay.Kind.allCases.filter { $0 != .invalid }, name: \.rawValue)
  let modes = WordList<ReadContext.Mode>()
  let entries = WordList<RecordEntry.Entry>()
  let presenceKinds = WordList<Presence.Kind>()
  let permissionStates = WordList<Permission.State>()
  let backfillStates = WordList<BackfillState.State>()
  let windowKinds = WordList<WindowKind>()
}
