/// The format of the occurrences of one append in a row of the spool.
///
/// A byte with the version: 1, or 2 if the node may not have known every withdrawal. Then each occurrence: 38 bytes of
/// big-endian numbers and the name of the action.
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
    static let version: UInt8 = 1
    static let versionUnjudged: UInt8 = 2
    static let fixedLength = 38
}

/// A batch that no version of the service writes, or that was damaged. None of its occurrences is used.
struct UnreadableBatch: Error, Hashable, CustomStringConvertible {
    var description: String { "the spool has a batch that cannot be read" }
}
