import ArgumentParser
import Foundation
import Identifiers
import Synchronization

/// Records what stands in a file, batch by batch, and keeps a journal of it.
struct ConsentImport {
    struct Summary {
        let recorded: Int
        let refused: Int
        /// Rows that a whole import had before this run, and rows that were added behind them; `nil` where this run went
        /// on with one that was not whole.
        let growth: (before: Int, added: Int)?
        /// The first of this run.
        let refusals: [(line: Int, reason: String)]
    }

    /// The service knows a request again for 24 hours. An hour of them is left for clocks that differ.
    private static let greatestAge = Duration.seconds(23 * 60 * 60)
    private static let refusalsKept = 10

    let sender: ConsentSender
    let journal: ImportJournal
    let errorPath: String
    /// Of this run, for the progress bar.
    let rowsDone: RowCount

    /// - Parameter start: what earlier runs did.
    func run(_ rows: ImportSource, after start: ImportJournal.Progress) async throws -> Summary {
        var (rows, progress) = (rows, start)
        var errors = try ErrorFile(path: errorPath, resumingAt: start.errorBytes)
        try await skip(&rows, start)
        var refusals: [(line: Int, reason: String)] = []
        while let batch = try await rows.next() {
            try refuseUnknowable(batch, progress.sentAt)
            if progress.sentAt == nil { progress.sentAt = Self.now }
            progress.isDone = false
            try journal.write(progress)
            let outcome = try await sender.send(batch, progress)
            try errors.write(outcome.refused)
            refusals += outcome.refused.prefix(Self.refusalsKept - refusals.count)
            progress = progress.after(batch)
            progress.recorded += outcome.recorded
            progress.refused += outcome.refused.count
            progress.errorBytes = errors.size
            progress.sentAt = nil
            try journal.write(progress)
            rowsDone.add(batch.rows.count)
        }
        // A file without rows is no import: rows may come.
        if progress.rows > 0 { try journal.write(progress.done) }
        let growth = start.isDone ? (before: start.rows, added: progress.rows - start.rows) : nil
        return Summary(
            recorded: progress.recorded, refused: progress.refused, growth: growth, refusals: refusals)
    }

    /// Passes what earlier runs did, and sees that it is the same.
    private func skip(_ rows: inout ImportSource, _ start: ImportJournal.Progress) async throws {
        var passed = ImportJournal.Progress(run: start.run)
        while passed.rows < start.rows, let batch = try await rows.next() { passed = passed.after(batch) }
        guard passed.rows == start.rows, passed.digest == start.digest else {
            let end =
                start.isDone
                ? """
                . Nothing was recorded now. --resume records rows that were added at the end; rows that were changed go \
                into a file of their own
                """
                : "; --resume goes on with the file that it began with"
            throw CommandFailure(
                """
                consentlink: the first \(start.rows.counted("row is not that", "rows are not those")) that \
                \(journal.path.shown) says were imported\(end)
                """)
        }
        rowsDone.begin(at: passed.rows)
    }

    /// A record without a time occurs when it is recorded: recorded again a day later it would outlast a withdrawal.
    private func refuseUnknowable(_ batch: ImportSource.Batch, _ sentAt: Timestamp?) throws(CommandFailure) {
        guard let sentAt, Self.now > sentAt.advanced(by: Self.greatestAge),
            let first = batch.rows.first, let last = batch.rows.last,
            batch.rows.contains(where: { if case .record(_, hasTime: false) = $0.content { true } else { false } })
        else { return }
        throw CommandFailure(
            """
            consentlink: lines \(first.line) to \(last.line) were sent at \(sentAt.rfc3339), and the service may have \
            recorded them; it would not know them again, and some have no occurredAt. Compare them with what is \
            recorded, and import the rest as a file of its own
            """)
    }

    private static var now: Timestamp {
        Timestamp(millisecondsSince1970: Int64(Date().timeIntervalSince1970 * 1000))
    }
}

/// How many rows are done, for the progress bar.
final class RowCount: Sendable {
    private let rows = Atomic(0)
    private let earlier = Atomic(0)

    func begin(at count: Int) { earlier.store(count, ordering: .relaxed) }
    func add(_ count: Int) { rows.add(count, ordering: .relaxed) }

    var thisRun: Int { rows.load(ordering: .relaxed) }
    var before: Int { earlier.load(ordering: .relaxed) }
}
