/// A row of the input: a consent record as the API accepts it, or why it is none.
struct ImportRow: Sendable {
    enum Content: Sendable {
        /// - hasTime: whether the record has a time. Otherwise its time is when it is recorded.
        case record([UInt8], hasTime: Bool)
        case refused(Fault)
    }

    struct Fault: Sendable {
        /// The reason contains nothing from the row.
        let reason: String
        /// The hash of the row's ``RowBytes``.
        let hash: [UInt8]
        /// The reason that journals up to version 2 digested in place of the row.
        let earlierReason: String

        init(_ reason: String, of bytes: RowBytes, earlier: String? = nil) {
            self.reason = reason
            hash = bytes.hash
            earlierReason = earlier ?? reason
        }
    }

    /// The lines of the file, from 1.
    let lines: ClosedRange<Int>
    let content: Content

    /// The first line.
    var line: Int { lines.lowerBound }
}
