import ArgumentParser
import JSON

/// Composes one message for recipients that are sent as lines, over as many connections as it takes.
struct Campaign: Sendable {
    let connections: CampaignConnection
    let source: RecipientSource
    let notation: RecipientReader.Notation
    /// How long to go on trying while nothing is answered.
    let patience: Duration
    let bar: ProgressBar?

    struct Summary: Sendable {
        let message: String
        /// Members of the message that no payload has, because the format has no place for them.
        let unsupportedMembers: [String]
        let counts: AnswerCounts
        let connections: Int
    }

    private var window: LineWindow { connections.window }

    /// - Parameter start: what was answered before.
    /// - Throws: `CommandFailure`. What was answered by then is written.
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
        var splitter = start
        var taken: CampaignConnection.Taken?
        var count = 0
        var pauses = Pauses()
        while true {
            let answeredBefore = window.answeredCount
            count += 1
            let ending = await connections.run(splitter)
            splitter = ending.splitter
            taken = taken ?? ending.taken
            guard let error = ending.error, !window.isDone else { break }
            guard let failure = error as? RetryableFailure else { throw error }
            // What never answered is more likely not there than away for a moment.
            guard taken != nil || failure.isTemporary else { throw failure.failure(connections.base) }
            if window.answeredCount > answeredBefore { pauses = Pauses() }
            guard let pause = pauses.next(within: patience) else { throw failure.failure(connections.base) }
            try await Task.sleep(for: pause)
        }
        return Summary(
            message: taken?.message ?? "-", unsupportedMembers: taken?.unsupportedMembers ?? [],
            counts: splitter.counts,
            connections: count)
    }
}
