/// A row of what is imported: a consent record as the API takes it, or why it is none.
struct ImportRow: Sendable {
    enum Content: Sendable {
        /// - hasTime: whether it says itself when it occurred. Otherwise it occurs when it is recorded.
        case record([UInt8], hasTime: Bool)
        case refused(Fault)
    }

    struct Fault: Sendable {
        /// Names nothing that stands in the row.
        let reason: String
        /// What ``RowBytes`` says of the row.
        let hash: [UInt8]
        /// What journals up to version 2 digested in place of the row.
        let earlierReason: String

        init(_ reason: String, of bytes: RowBytes, earlier: String? = nil) {
            self.reason = reason
            hash = bytes.hash
            earlierReason = earlier ?? reason
        }
    }

    /// Of the file, from 1.
    let lines: ClosedRange<Int>
    let content: Content

    /// Where it begins.
    var line: Int { lines.lowerBound }
}
