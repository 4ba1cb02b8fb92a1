import ConsentLinkClient
import JSON

/// Leaves out the recipients whose lines an earlier run answered, and checks that they are the same ones.
struct ResumeFilter {
    private let count: Int
    /// The last payload: its line, from 1, and its recipient.
    private let known: (line: Int, recipient: JSONValue?)?
    private let answered: AnsweredRecipients
    private let refusedLines: RangeSet<Int>
    private var found = AnsweredRecipients()
    private var passed = 0

    init(_ earlier: AnswerSplitter) {
        count = earlier.counts.lines
        known = earlier.lastPayload.map { ($0.line, (try? JSONValue.parse($0.bytes))?["recipient"]) }
        answered = earlier.recipients
        refusedLines = earlier.refusedLines
    }

    /// The lines of `batch` that were not answered. Returns none before all answered lines are compared.
    mutating func drop(from batch: LineBatch) throws(CommandFailure) -> LineBatch {
        guard passed < count, batch.count > 0 else { return batch }
        let dropped = min(count - passed, batch.count)
        for index in 0..<dropped {
            let line = passed + index + 1
            let recipient = batch.line(at: index)
            if let known, line == known.line {
                guard (try? JSONValue.parse(Array(recipient))) == known.recipient else {
                    throw Self.refusal("line \(line) of the recipients is not the recipient that was answered there")
                }
            }
            if !refusedLines.contains(line) { found.add(recipient) }
        }
        passed += dropped
        guard passed < count || found == answered else {
            throw Self.refusal("the first \(count) recipients are not those who were answered")
        }
        return batch[dropped..<batch.count]
    }

    func requireAll() throws(CommandFailure) {
        guard passed == count else {
            throw CommandFailure(
                "consentlink: \(count) lines were answered, and there are \(passed) recipients: this is another list")
        }
    }

    private static func refusal(_ what: String) -> CommandFailure {
        CommandFailure("consentlink: \(what); --resume goes on with the recipients that it began with")
    }
}
