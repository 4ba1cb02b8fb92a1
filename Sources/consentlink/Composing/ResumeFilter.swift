import ConsentLinkClient
import JSON

/// Leaves out the recipients whose lines were answered in an earlier run, and sees that they are the same ones.
struct ResumeFilter {
    private let count: Int
    /// Of the last payload: its line, from 1, and its recipient.
    private let known: (line: Int, recipient: JSONValue?)?
    private var passed = 0

    init(_ earlier: AnswerSplitter) {
        count = earlier.counts.lines
        known = earlier.lastPayload.map { ($0.line, (try? JSONValue.parse($0.bytes))?["recipient"]) }
    }

    /// What of `batch` was not answered.
    mutating func drop(from batch: LineBatch) throws(CommandFailure) -> LineBatch {
        guard passed < count, batch.count > 0 else { return batch }
        let dropped = min(count - passed, batch.count)
        defer { passed += dropped }
        if let known, (passed + 1...passed + dropped).contains(known.line) {
            let index = known.line - passed - 1
            guard let recipient = try? JSONValue.parse(batch[index..<index + 1].bytes), recipient == known.recipient
            else {
                throw CommandFailure(
                    """
                    consentlink: line \(known.line) of the recipients is not who was answered there; \
                    --resume goes on with the recipients that it began with
                    """)
            }
        }
        return batch[dropped..<batch.count]
    }

    func requireAll() throws(CommandFailure) {
        guard passed == count else {
            throw CommandFailure(
                "consentlink: \(count) lines were answered, and there are \(passed) recipients; these are not the same")
        }
    }
}
