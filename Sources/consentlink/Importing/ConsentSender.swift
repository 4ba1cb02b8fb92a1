import ConsentLinkClient
import JSON

/// Sends consent records in batches, each with an idempotency key: if a batch is sent again, because it is unknown
/// whether the first request succeeded, it is recorded once.
struct ConsentSender {
    struct Outcome {
        var recorded = 0
        /// In the order of lines.
        var refused: [RefusedRow] = []
        /// The id of the last record of the batch; `nil` if none was recorded, or the answer does not name it.
        var last: String?
        /// Why none of the present requests recorded anything of the batch.
        var failure: CommandFailure?
    }

    private struct Record {
        let lines: ClosedRange<Int>
        let json: [UInt8]
    }

    let client: APIClient
    let organization: String
    /// How long to retry while nothing is answered.
    let patience: Duration

    /// Request Timeout: a proxy did not get the whole request. Conflict: an earlier try is still being processed. Too
    /// Many Requests.
    private static let temporary: Set = [408, 409, 429]
    private static let unprocessable = 422

    /// The mark of the key that the requests of an import have.
    func mark(in progress: ImportJournal.Progress) -> String {
        client.api.transport.withKey { progress.mark(ofKey: $0) }
    }

    /// - Parameter note: notes in the journal which rows are removed, before the others are sent without them. A
    ///   removed row stays removed: it may become valid later, and with it the others would be a different request.
    func send(
        _ batch: ImportSource.Batch, _ progress: ImportJournal.Progress,
        noting note: ([ImportJournal.Refusal]) throws(CommandFailure) -> Void
    ) async throws -> Outcome {
        var (records, outcome) = Self.sort(batch, progress.underWay?.refused ?? [])
        var attempts = 0
        // All of a request is recorded or nothing: invalid rows are removed, and the rest is sent again.
        while !records.isEmpty {
            let body = Self.body(records)
            let answer = try await refusal(
                of: body, with: records.count, under: progress.requestKey(for: body))
            attempts = max(attempts, answer.attempts)
            guard let problem = answer.problem else {
                outcome.recorded = records.count
                outcome.last = answer.last
                break
            }
            let faults = problem.status == Self.unprocessable ? Self.faults(problem) : [:]
            let bad = records.indices.filter { faults[$0] != nil }
            guard !bad.isEmpty else {
                let failure = await client.failure(.refused(problem), of: "organization \(organization)")
                // A request before this one may have succeeded.
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

    /// Divides the rows into those to send and those not to send.
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

    /// The service's fault of each record, by the index in its pointers, such as `/17/state`.
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

    /// Retries until there is an answer.
    ///
    /// - Parameter count: the number of records in `body`.
    /// - Returns: no problem once all are recorded, and then the id of the last one; and the number of tries.
    private func refusal(
        of body: [UInt8], with count: Int, under key: String
    ) async throws -> (problem: Problem?, attempts: Int, last: String?) {
        var pauses = Pauses()
        var attempts = 0
        while true {
            attempts += 1
            do {
                let answer = try await client.make(
                    "/v1/orgs/\(organization)/consents", body, idempotencyKey: key,
                    within: Self.requestLimit(pauses.rest(of: patience)))
                let recorded = try Self.records(count, in: answer)
                let last: String? = if case .string(let id)? = recorded.last?["id"] { id } else { nil }
                return (nil, attempts, last)
            } catch let error as ConsentLinkError {
                // It is no temporary fault, and does not tell what was recorded.
                if case .unexpectedAnswer = error { throw await client.failure(error, of: nil) }
                if let problem = error.problem, !Self.isTemporary(problem) {
                    return (problem, attempts, nil)
                }
                guard let pause = pauses.next(within: patience, least: error.problem?.retryAfter ?? .zero) else {
                    throw await client.failure(error, of: nil)
                }
                try await Task.sleep(for: pause)
            }
        }
    }

    /// Whether the service still has a record that it acknowledged. It does not after an earlier backup was restored,
    /// and another service does not either. Retries until there is an answer.
    ///
    /// - Returns: `nil` if this key is not told.
    func has(_ record: String) async throws -> Bool? {
        var pauses = Pauses()
        while true {
            do {
                try await client.read(
                    "/v1/orgs/\(organization)/consents/\(record)/proof",
                    within: Self.requestLimit(pauses.rest(of: patience)))
                return true
            } catch let error as ConsentLinkError {
                if let problem = error.problem, !Self.isTemporary(problem) {
                    switch problem.status {
                    case 404: return false
                    case 403, Self.unprocessable: return nil
                    default: throw await client.failure(error, of: nil)
                    }
                }
                guard let pause = pauses.next(within: patience, least: error.problem?.retryAfter ?? .zero) else {
                    throw await client.failure(error, of: nil)
                }
                try await Task.sleep(for: pause)
            }
        }
    }

    /// A proxy may answer a 2xx of its own: the service's answer lists what was recorded.
    private static func records(_ count: Int, in answer: JSONValue) throws(ConsentLinkError) -> [JSONValue] {
        guard case .array(let recorded)? = answer["consents"], recorded.count == count else {
            throw .unexpectedAnswer("it does not list the \(count.counted("record")) that it was sent")
        }
        return recorded
    }

    /// How long one request may take. The rest of the patience may be shorter than any answer takes. If a service stops
    /// answering, another request gets an answer sooner.
    private static func requestLimit(_ rest: Duration) -> Duration { min(max(rest, .seconds(1)), .seconds(60)) }

    private static func isTemporary(_ problem: Problem) -> Bool {
        problem.status >= 500 || temporary.contains(problem.status)
    }
}
