import Identifiers

/// Reads the times of entries. Adjacent entries often have the same time, so the last one is kept.
struct TimestampReader {
    private var text: [UInt8] = []
    private var instant = Timestamp.distantPast

    /// - Parameter bytes: RFC 3339 in UTC with milliseconds.
    /// - Returns: `nil` for every other spelling.
    mutating func read(_ bytes: ArraySlice<UInt8>) -> Timestamp? {
        if bytes.elementsEqual(text) { return instant }
        guard let instant = Timestamp(canonical: bytes) else { return nil }
        (text, self.instant) = (Array(bytes), instant)
        return instant
    }
}
