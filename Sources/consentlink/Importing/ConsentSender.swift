import ConsentLinkClient
import JSON

/// Sends consent records, a batch at a time, each under a name by which the service knows it again: what is sent a
/// second time, because it is not known whether the first was taken, is recorded once.
struct ConsentSender {
    struct Outcome {
        var recorded = 0
        /// By line.
        var refused: [RefusedRow] = []
        /// Why nothing of the batch was recorded by any of the requests that were sent now.
        var failure: CommandFailure?
    }

    private struct Record {
        let lines: ClosedRange<Int>
        let json: [UInt8]
    }

    let client: APIClient
    let organization: String
    /// How long to go on trying while nothing is answered.
    let patience: Duration

    private static let conflict = 409
    private static let tooManyRequests = 429
    private static let unprocessable = 422

    /// - Parameter note: keeps in the journal which rows are taken out, before the others are sent without them. A row
    ///   that was taken out stays so: it may fit later, and with it the others would be a request of another name.
    func send(
        _ batch: ImportSource.Batch, _ progress: ImportJournal.Progress,
        noting note: ([ImportJournal.Refusal]) throws(CommandFailure) -> Void
    ) async throws -> Outcome {
        var (records, outcome) = Self.sort(batch, progress.underWay?.refused ?? [])
        var attempts = 0
        // All of a request or nothing of it: what does not fit is taken out, and the rest sent again.
        while !records.isEmpty {
            let body = Self.body(records)
            let answer = try await refusal(
                of: body, with: records.count, under: progress.requestKey(for: body))
            attempts = max(attempts, answer.attempts)
            guard let problem = answer.problem else {
                outcome.recorded = records.count
                break
            }
            let faults = problem.status == Self.unprocessable ? Self.faults(problem) : [:]
            let bad = records.indices.filter { faults[$0] != nil }
            guard !bad.isEmpty else {
                let failure = await client.failure(.refused(problem), of: "organization \(organization)")
                // A request before this one may have been taken.
                guard attempts == 1 else { throw failure }
                return Outcome(failure: failure)
            }
            let refused = bad.map { RefusedRow(lines: records[$0].lines, reason: faults[$0] ?? "") }
            outcome.refused += refused
            try note(refused.map { ImportJournal.Refusal(line: $0.lines.lowerBound, reason: $0.reason) })
            for index in bad.reversed() { records.remove(at: index) }
        }
        outcome.refused.sort { $0.lines.lowerBound < $1.lines.lowerBound }
        return outcome
    }

    /// What is sent, and what is not.
    private static func sort(
        _ batch: ImportSource.Batch, _ refusals: [ImportJournal.Refusal]
    ) -> ([Record], Outcome) {
        let reasons = Dictionary(refusals.map { ($0.line, $0.reason) }) { first, _ in first }
        var (records, outcome) = ([Record](), Outcome())
        for row in batch.rows {
            switch row.content {
            case .refused(let fault): outcome.refused.append(RefusedRow(lines: row.lines, reason: fault.reason))
            case .record(let json, _):
                if let reason = reasons[row.line] {
                    outcome.refused.append(RefusedRow(lines: row.lines, reason: reason))
                } else {
                    records.append(Record(lines: row.lines, json: json))
                }
            }
        }
        return (records, outcome)
    }

    private static func body(_ records: [Record]) -> [UInt8] {
        var body = [UInt8(ascii: "[")]
        for record in records {
            if body.count > 1 { body.append(UInt8(ascii: ",")) }
            body += record.json
        }
        return body + [UInt8(ascii: "]")]
    }

    /// What the service says of each record, by the index in its pointers, such as `/17/state`.
    private static func faults(_ problem: Problem) -> [Int: String] {
        var faults: [Int: String] = [:]
        for error in problem.errors {
            let parts = error.pointer.split(separator: "/", maxSplits: 1)
            guard let index = parts.first.flatMap({ Int($0) }) else { continue }
            let fault = RecordMember.fault(at: parts.count > 1 ? "/\(parts[1])" : "", error.detail)
            faults[index] = faults[index].map { "\($0); \(fault)" } ?? fault
        }
        return faults
    }

    /// Asks until there is an answer other than that there is none now.
    ///
    /// - Parameter count: of the records in `body`.
    /// - Returns: no problem once all are recorded; and how often it asked.
    private func refusal(
        of body: [UInt8], with count: Int, under key: String
    ) async throws -> (problem: Problem?, attempts: Int) {
        var pauses = Pauses()
        var attempts = 0
        while true {
            attempts += 1
            do {
                let answer = try await client.make(
                    "/v1/orgs/\(organization)/consents", body, idempotencyKey: key,
                    within: Self.requestLimit(pauses.rest(of: patience)))
                try Self.require(count, in: answer)
                return (nil, attempts)
            } catch let error as ConsentLinkError {
                // It is no passing fault, and says nothing of what is recorded.
                if case .unexpectedAnswer = error { throw await client.failure(error, of: nil) }
                if let problem = error.problem, !Self.isTemporary(problem) { return (problem, attempts) }
                guard let pause = pauses.next(within: patience, least: error.problem?.retryAfter ?? .zero) else {
                    throw await client.failure(error, of: nil)
                }
                try await Task.sleep(for: pause)
            }
        }
    }

    /// Whatever stands between may answer a 2xx of its own: what was recorded the service lists.
    private static func require(_ count: Int, in answer: JSONValue) throws(ConsentLinkError) {
        guard case .array(let recorded)? = answer["consents"], recorded.count == count else {
            throw .unexpectedAnswer("it does not list the \(count.counted("record")) that it was sent")
        }
    }

    /// How long one request may take. What is left of the patience may be less than any answer takes, and of a service
    /// that fell silent an answer comes sooner to another request.
    private static func requestLimit(_ rest: Duration) -> Duration { min(max(rest, .seconds(1)), .seconds(60)) }

    private static func isTemporary(_ problem: Problem) -> Bool {
        problem.status >= 500 || [conflict, tooManyRequests].contains(problem.status)
    }
}
