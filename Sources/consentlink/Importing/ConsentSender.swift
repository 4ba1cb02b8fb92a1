import ConsentLinkClient

/// Sends consent records, a batch at a time, each under a name by which the service knows it again: what is sent a
/// second time, because it is not known whether the first was taken, is recorded once.
struct ConsentSender {
    struct Outcome {
        var recorded = 0
        /// By line, of those that the service refused.
        var refused: [(line: Int, reason: String)] = []
    }

    private struct Record {
        let line: Int
        let json: [UInt8]
    }

    let client: APIClient
    let organization: String
    /// How long to go on trying while nothing is answered.
    let patience: Duration

    private static let conflict = 409
    private static let tooManyRequests = 429
    private static let unprocessable = 422

    func send(_ batch: ImportSource.Batch, _ progress: ImportJournal.Progress) async throws -> Outcome {
        var outcome = Outcome()
        var records: [Record] = []
        for row in batch.rows {
            switch row.content {
            case .record(let json, _): records.append(Record(line: row.line, json: json))
            case .refused(let reason): outcome.refused.append((row.line, reason))
            }
        }
        // All of a request or nothing of it: what does not fit is taken out, and the rest sent again.
        while !records.isEmpty {
            let body = Self.body(records)
            guard let problem = try await refusal(of: body, under: progress.requestKey(for: body)) else {
                outcome.recorded = records.count
                break
            }
            let faults = problem.status == Self.unprocessable ? Self.faults(problem) : [:]
            let bad = records.indices.filter { faults[$0] != nil }
            guard !bad.isEmpty else {
                throw await client.failure(.refused(problem), of: "organization \(organization)")
            }
            for index in bad { outcome.refused.append((records[index].line, faults[index] ?? "")) }
            for index in bad.reversed() { records.remove(at: index) }
        }
        outcome.refused.sort { $0.line < $1.line }
        return outcome
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
            let member = parts.count > 1 ? "/\(parts[1]) " : ""
            let fault = member + (error.detail.isEmpty ? "does not fit" : error.detail)
            faults[index] = faults[index].map { "\($0); \(fault)" } ?? fault
        }
        return faults
    }

    /// Asks until there is an answer other than that there is none now.
    ///
    /// - Returns: `nil` once all are recorded.
    private func refusal(of body: [UInt8], under key: String) async throws -> Problem? {
        var pauses = Pauses()
        while true {
            do {
                try await client.make("/v1/orgs/\(organization)/consents", body, idempotencyKey: key)
                return nil
            } catch let error as ConsentLinkError {
                if let problem = error.problem, !Self.isTemporary(problem) { return problem }
                guard let pause = pauses.next(within: patience, least: error.problem?.retryAfter ?? .zero) else {
                    throw await client.failure(error, of: nil)
                }
                try await Task.sleep(for: pause)
            }
        }
    }

    private static func isTemporary(_ problem: Problem) -> Bool {
        problem.status >= 500 || [conflict, tooManyRequests].contains(problem.status)
    }
}
