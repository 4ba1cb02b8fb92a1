import Interactions

/// The format of the occurrences of one append in a row of the spool.
///
/// A byte with the version: 1, 2 if the node may not have known every withdrawal, or 3 if it did not know the time
/// either. Then each occurrence: 38 bytes of big-endian numbers and the name of the action.
///
/// | bytes | field |
/// |---|---|
/// | 0–7 | interaction id |
/// | 8–15 | message id |
/// | 16–23 | recipient reference |
/// | 24–31 | occurred at, milliseconds since 1970, signed |
/// | 32–33 | link index |
/// | 34 | kind, by its code |
/// | 35 | source, by its code |
/// | 36 | what caused it, by its number as a `Visitor` |
/// | 37 | length of the action's name, 0 for none |
/// | 38… | the action's name in UTF-8 |
enum OccurrenceBatch {
    static func version(of certainty: SpooledOccurrence.Certainty) -> UInt8 {
        switch certainty {
        case .judged: 1
        case .unjudged: 2
        case .untimed: 3
        }
    }

    /// `nil` for a version that is unknown.
    static func certainty(of version: UInt8?) -> SpooledOccurrence.Certainty? {
        SpooledOccurrence.Certainty.allCases.first { self.version(of: $0) == version }
    }

    static let fixedLength = 38
}

/// A batch that no version of the service writes, or that was damaged. None of its occurrences is used.
struct UnreadableBatch: Error, Hashable, CustomStringConvertible {
    var description: String { "the spool has a batch that cannot be read" }
}
