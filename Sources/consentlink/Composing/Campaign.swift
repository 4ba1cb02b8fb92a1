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
        let tally: AnswerTally
        let connections: Int
    }

    private var window: LineWindow { connections.window }

    /// - Parameter start: what was answered before.
    /// - Throws: `CommandFailure`. What was answered by then is written.
    func run(after start: AnswerCutter) async throws -> Summary {
        try await withThrowingTaskGroup(of: Summary?.self) { tasks in
            tasks.addTask {
                try await feed(after: start)
                return nil
            }
            tasks.addTask { try await compose(after: start) }
            if let bar {
                tasks.addTask {
                    await bar.show(window, source, after: start.tally.lines)
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

    private func feed(after start: AnswerCutter) async throws {
        var reader = RecipientReader(notation)
        var skipped = AnsweredBefore(start)
        while let piece = try await source.next() {
            try await give(try skipped.drop(from: reader.read(piece[...])))
        }
        try await give(try skipped.drop(from: reader.last()))
        try skipped.requireAll()
        window.end()
    }

    private func give(_ batch: LineBatch) async throws {
        if !batch.isEmpty { try await window.give(batch) }
    }

    private func compose(after start: AnswerCutter) async throws -> Summary {
        var cutter = start
        var message: String?
        var count = 0
        var pauses = Pauses()
        while true {
            let answeredBefore = window.answeredCount
            count += 1
            let ending = await connections.run(cutter)
            cutter = ending.cutter
            message = message ?? ending.message
            guard let error = ending.error, !window.isDone else { break }
            guard let interruption = error as? Interruption else { throw error }
            // What never answered is more likely not there than away for a moment.
            guard message != nil || interruption.isTemporary else { throw interruption.failure(connections.base) }
            if window.answeredCount > answeredBefore { pauses = Pauses() }
            guard let pause = pauses.next(within: patience) else { throw interruption.failure(connections.base) }
            try await Task.sleep(for: pause)
        }
        return Summary(message: message ?? "-", tally: cutter.tally, connections: count)
    }
}

/// How long to wait before each further connection while nothing is answered.
private struct Pauses {
    private static let first = Duration.milliseconds(100)
    private static let longest = Duration.seconds(5)

    private let begin = ContinuousClock.now
    private var pause = Self.first

    /// `nil` once it has taken too long.
    mutating func next(within patience: Duration) -> Duration? {
        guard begin.duration(to: .now) < patience else { return nil }
        defer { pause = min(pause * 2, Self.longest) }
        return pause
    }
}
