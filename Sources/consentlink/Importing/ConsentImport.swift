import ArgumentParser
import Identifiers
import Synchronization

/// Records the consents of a file, batch by batch, and keeps a journal of it.
struct ConsentImport {
    struct Summary {
        let recorded: Int
        let refused: Int
        /// The rows that were imported when the import was last complete, and the rows that were added since; `nil` if
        /// it was never complete before this run.
        let growth: Growth?
        /// The first refusals of this run.
        let refusals: [RefusedRow]
        /// Rows that were refused by earlier runs since the import was last complete.
        let refusedEarlier: Int

        /// Rows that were refused since the import was last complete.
        var refusedNow: Int { growth?.refused ?? refused }
    }

    struct Growth {
        let before: Int
        let added: Int
        /// How many of the added rows were refused.
        let refused: Int
    }

    /// The service recognises a request that the same key repeats, for 24 hours. One hour is left for differences between
    /// clocks.
    private static let maximumAge = Duration.hours(23)
    /// A batch that was sent later than now by more was sent by another clock, so its age is not known.
    private static let toleratedDifference = Duration.minutes(1)
    private static let refusalsKept = 10

    let sender: ConsentSender
    let journal: ImportJournal
    let errorPath: String
    /// The rows of this run, for the progress bar.
    let rowsDone: RowCount
    /// The time by the service's clock; `nil` if the service does not tell it.
    var askTime: @Sendable () async -> Timestamp? = { nil }

    /// - Parameter start: the progress of earlier runs.
    func run(_ rows: ImportSource, after start: ImportJournal.Progress) async throws -> Summary {
        var rows = rows
        // Otherwise nothing in it is of the earlier runs.
        let hasErrors = start.errorBytes > 0 || start.underWay != nil
        var errors = try ErrorFile(
            path: errorPath, resumingAt: start.errorBytes, of: hasErrors ? start.errorPlace : nil,
            isWhole: start.isDone)
        var progress = try await skip(&rows, start)
        (progress.errorBytes, progress.errorPlace) = (errors.size, errors.place)
        var refusals: [RefusedRow] = []
        // A batch under way is only sent again if it is young by the clock that forgets its key.
        var clock = ImportClock(told: start.underWay == nil ? nil : await askTime())
        while let batch = try await next(&rows, progress, at: clock.now) {
            progress.reasons = nil
            let before = progress
            var underWay = progress.underWay ?? .init(sentAt: clock.now, sentBy: sender.mark(in: progress))
            let end = progress.position.after(batch.rows)
            underWay.end = end
            progress.underWay = underWay
            try journal.write(progress)
            let outcome = try await sender.send(batch, progress) { refused throws(CommandFailure) in
                progress.underWay?.refused += refused
                try journal.write(progress)
            }
            if let failure = outcome.failure {
                // The batch was not sent before: its rows are not recorded, and may be changed.
                if before.underWay == nil { try? journal.write(before) }
                throw failure
            }
            try errors.write(outcome.refused)
            refusals += outcome.refused.prefix(Self.refusalsKept - refusals.count)
            progress.position = end
            progress.recorded += outcome.recorded
            progress.last = outcome.last ?? progress.last
            progress.refused += outcome.refused.count
            progress.errorBytes = errors.size
            progress.underWay = nil
            try journal.write(progress)
            rowsDone.add(batch.rows.count)
            if !clock.isService { clock = ImportClock(told: await askTime(), isLast: true) }
        }
        // A file without rows is no import: rows may be added.
        if progress.rows > 0 { try journal.write(progress.done) }
        let growth = start.whole.map { whole in
            Growth(
                before: whole.rows, added: progress.rows - whole.rows, refused: progress.refused - whole.refused)
        }
        return Summary(
            recorded: progress.recorded, refused: progress.refused, growth: growth, refusals: refusals,
            refusedEarlier: start.refused - (start.whole?.refused ?? 0))
    }

    /// Skips the rows of earlier runs, and checks that they are unchanged.
    private func skip(
        _ rows: inout ImportSource, _ start: ImportJournal.Progress
    ) async throws -> ImportJournal.Progress {
        var passed = ImportJournal.Position()
        var batches = start.batches?.empty
        var reasons = start.reasons.map { _ in RowDigest(.reason) }
        while passed.rows < start.rows,
            let batch = try await rows.next(endingAt: batches?.end(after: passed.rows) ?? start.rows)
        {
            passed = passed.after(batch.rows)
            batches?.add(batch.rows)
            reasons?.add(batch.rows)
        }
        let isOfEarlier = batches != nil || reasons != nil
        let isSame = isOfEarlier ? (batches, reasons) == (start.batches, start.reasons) : passed == start.position
        guard passed.rows == start.rows, isSame else {
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
        var progress = start
        progress.position = passed
        progress.batches = nil
        return progress
    }

    /// The next batch to send. A batch that was sent without an answer has the same end as before, even if rows were
    /// added: another end would make another request, whose records would come after a withdrawal in between.
    private func next(
        _ rows: inout ImportSource, _ progress: ImportJournal.Progress, at now: Timestamp
    ) async throws -> ImportSource.Batch? {
        let batch = try await rows.next(endingAt: progress.underWay?.end?.rows)
        guard let underWay = progress.underWay else { return batch }
        let position = progress.reasons.map { ImportJournal.Position(rows: progress.rows, digest: $0) }
        guard let batch, underWay.end.map({ $0 == (position ?? progress.position).after(batch.rows) }) ?? true else {
            throw changed(underWay, behind: progress.rows)
        }
        let doubt = Self.doubt(underWay, ofKey: sender.mark(in: progress), at: now)
        if let doubt { try refuseUnknowable(batch, underWay, doubt) }
        return batch
    }

    private func changed(_ underWay: ImportJournal.UnderWay, behind rows: Int) -> CommandFailure {
        let which = underWay.end.map { "rows \((rows + 1).grouped) to \($0.rows.grouped)" }
        return CommandFailure(
            """
            consentlink: \(which ?? "rows after the first \(rows.grouped)") were sent at \(underWay.sentAt.rfc3339), \
            and the service may have recorded them; they are not the same any more. Nothing was recorded now. Put them \
            back as they were, or compare them with what is recorded and import the rest as a file of its own
            """)
    }

    /// Why the service may not know the rows again that were sent.
    ///
    /// - Parameter mark: the mark of the key of this run.
    /// - Returns: `nil` if it knows them again.
    private static func doubt(
        _ underWay: ImportJournal.UnderWay, ofKey mark: String, at now: Timestamp
    ) -> String? {
        if underWay.sentAt > now.advanced(by: toleratedDifference) {
            return "that is later than now, so it may not know them again"
        }
        if now > underWay.sentAt.advanced(by: maximumAge) { return "it would not know them again" }
        if underWay.end == nil { return "the version that sent them did not note which rows they were" }
        guard let sentBy = underWay.sentBy else { return "the version that sent them did not note with which key" }
        guard sentBy != mark else { return nil }
        return "it would know them again only with the key that sent them, which is another one"
    }

    /// A record without a time, or with one that is still to come, occurs when it is recorded: recorded again later, it
    /// would outrank a withdrawal.
    private func refuseUnknowable(
        _ batch: ImportSource.Batch, _ underWay: ImportJournal.UnderWay, _ doubt: String
    ) throws(CommandFailure) {
        guard let first = batch.rows.first, let last = batch.rows.last,
            batch.rows.contains(where: { $0.mayCountFromStoring(firstSentAt: underWay.sentAt) })
        else { return }
        throw CommandFailure(
            """
            consentlink: lines \(first.line) to \(last.lines.upperBound) were sent at \(underWay.sentAt.rfc3339), and the service may \
            have recorded them; \(doubt), and some have no occurredAt, or one that is not before that. \
            Compare them with what is recorded, and import the rest as a file of its own
            """)
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
