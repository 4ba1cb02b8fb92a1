import ArgumentParser
import ConsentLinkClient
import JSON
import Synchronization

/// Composes one message for the recipients of a file, and writes the answers into another.
struct Campaign: Sendable {
    let client: APIClient
    let exchange: LineExchange
    let source: InputFile
    let notation: RecipientReader.Notation
    let output: AnswerFile
    /// The journal of `output`; `nil` if it has none.
    let journal: CampaignJournal?
    let bar: ProgressBar?

    struct Summary: Sendable {
        let message: String
        /// Members of the message that no payload contains, because the format has no place for them.
        let unsupportedMembers: [String]
        let counts: AnswerCounts
        let connections: Int
    }

    /// The counts while lines are still answered.
    private final class Tally: Sendable {
        private let counts: Mutex<AnswerCounts>
        private let isBegun = Atomic(false)

        init(_ start: AnswerCounts) { counts = Mutex(start) }

        var current: AnswerCounts { counts.withLock { $0 } }

        /// - Returns: whether this is the first call.
        func begin() -> Bool { !isBegun.exchange(true, ordering: .relaxed) }

        func add(_ lines: LineBatch) {
            counts.withLock { counts in
                for index in 0..<lines.count { _ = counts.add(lines.line(at: index)) }
            }
        }
    }

    private var window: LineWindow { exchange.window }

    /// - Parameter start: the earlier answers.
    /// - Throws: `CommandFailure`. The answers until then are written.
    func run(after start: AnswerSplitter) async throws -> Summary {
        try await withThrowingTaskGroup(of: Summary?.self) { tasks in
            tasks.addTask {
                try await feed(after: start)
                return nil
            }
            tasks.addTask { try await compose(after: start) }
            if let bar {
                tasks.addTask {
                    await bar.show({ (start.counts.lines, window.answeredCount) }, share: { source.share })
                    return nil
                }
            }
            defer { tasks.cancelAll() }
            for try await summary in tasks {
                if let summary { return summary }
            }
            throw CancellationError()
        }
    }

    private func feed(after start: AnswerSplitter) async throws {
        var reader = RecipientReader(notation)
        var skipped = ResumeFilter(start)
        while let piece = try await source.next() {
            try await give(try skipped.drop(from: try reader.read(piece[...])))
        }
        try await give(try skipped.drop(from: try reader.last()))
        try skipped.requireAll()
        window.end()
    }

    private func give(_ batch: LineBatch) async throws {
        if !batch.isEmpty { try await window.give(batch) }
    }

    private func compose(after start: AnswerSplitter) async throws -> Summary {
        let tally = Tally(start.counts)
        do {
            try await exchange.run { lines in
                if tally.begin(), let message = exchange.record.order?.message { try journal?.note(message: message) }
                tally.add(lines)
                try await output.write(lines.bytes)
            }
        } catch let error as ConsentLinkError {
            throw await client.failure(error, of: "organization of this name")
        }
        let order = exchange.record.order
        return Summary(
            message: order?.message ?? "-", unsupportedMembers: order?.unsupportedMembers ?? [],
            counts: tally.current, connections: exchange.record.connections)
    }
}
