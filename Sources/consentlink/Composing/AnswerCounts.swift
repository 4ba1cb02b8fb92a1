import ConsentLinkClient

/// Counts answered lines, and keeps the details of the first refused ones.
struct AnswerCounts: Sendable {
    struct Refusal: Sendable {
        /// The number of the line in the recipients' file, from 1.
        let line: Int
        let status: Int
        /// The service's text about it, which names no recipient.
        let detail: String
    }

    enum Verdict {
        case payload
        case refusal
        /// Not counted: the service could not store a decision at that time.
        case mustBeSentAgain
    }

    private static let refusalsKept = 10
    private static let payloadBeginning = AnsweredLine.payloadBeginning
    private static let refusalBeginning = Array(#"{"error""#.utf8)
    private static let trackedMember = Array(#"","tracked":true,"#.utf8)

    private(set) var lines = 0
    private(set) var tracked = 0
    private(set) var refused = 0
    private(set) var refusals: [Refusal] = []

    var payloads: Int { lines - refused }

    /// - Parameter line: the line without its line feed.
    mutating func add(_ line: ArraySlice<UInt8>) -> Verdict {
        guard let problem = AnsweredLine.refusal(line) else {
            lines += 1
            if Self.isTracked(line) { tracked += 1 }
            return .payload
        }
        guard !AnsweredLine.mustBeSentAgain(line) else { return .mustBeSentAgain }
        lines += 1
        refused += 1
        if refusals.count < Self.refusalsKept {
            refusals.append(Refusal(line: lines, status: problem.status, detail: problem.text ?? "was refused"))
        }
        return .refusal
    }

    /// Whether a line can be an answer, judged by its beginning.
    static func isAnswer(_ line: ArraySlice<UInt8>) -> Bool {
        [payloadBeginning, refusalBeginning].contains { line.starts(with: $0) }
    }

    /// Whether an answer can begin like this.
    static func isBeginning(_ bytes: ArraySlice<UInt8>) -> Bool {
        [payloadBeginning, refusalBeginning].contains { bytes.starts(with: $0.prefix(bytes.count)) }
    }

    /// Looks only after the recipient, because the payload may be long.
    private static func isTracked(_ line: ArraySlice<UInt8>) -> Bool {
        guard line.starts(with: payloadBeginning) else { return false }
        var position = line.startIndex + payloadBeginning.count
        while position < line.endIndex, line[position] != UInt8(ascii: "\"") {
            position += line[position] == UInt8(ascii: "\\") ? 2 : 1
        }
        return position < line.endIndex && line[position...].starts(with: trackedMember)
    }
}
