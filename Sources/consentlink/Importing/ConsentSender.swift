import JSON

/// Sends consent records, a batch at a time, each under a name by which the service knows it again: what is sent a second
/// time, because nobody knows whether the first was taken, is recorded once.
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

    private static let conflict: UInt = 409
    private static let tooManyRequests: UInt = 429
    private static let unprocessable: UInt = 422

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
            let answer = try await answer(to: body, under: progress.requestKey(for: body))
            if (200..<300).contains(answer.status) {
                outcome.recorded = records.count
                break
            }
            let faults = answer.status == Self.unprocessable ? Self.faults(answer.document) : [:]
            let bad = records.indices.filter { faults[$0] != nil }
            guard !bad.isEmpty else {
                throw await client.refusal(
                    answer.status, answer.document, of: "organization \(organization)")
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
    private static func faults(_ problem: JSONValue?) -> [Int: String] {
        var faults: [Int: String] = [:]
        for error in problem?["errors"]?.elements ?? [] {
            guard case .string(let pointer) = error["pointer"] else { continue }
            let parts = pointer.split(separator: "/", maxSplits: 1)
            guard let index = parts.first.flatMap({ Int($0) }) else { continue }
            let member = parts.count > 1 ? "/\(parts[1]) " : ""
            let fault = member + (error["detail"]?.text ?? "does not fit")
            faults[index] = faults[index].map { "\($0); \(fault)" } ?? fault
        }
        return faults
    }

    /// Asks until there is an answer other than that there is none now.
    private func answer(
        to body: [UInt8], under key: String
    ) async throws -> (status: UInt, document: JSONValue?) {
        var pauses = Pauses()
        while true {
            let failure: CommandFailure
            do throws(CommandFailure) {
                let answer = try await client.send(
                    "/v1/orgs/\(organization)/consents", body, headers: [("Idempotency-Key", "\"\(key)\"")])
                guard answer.status >= 500 || [Self.conflict, Self.tooManyRequests].contains(answer.status) else {
                    return answer
                }
                failure = CommandFailure(
                    "consentlink: \(answer.document?.problemText ?? "the service answered \(answer.status)")")
            } catch {
                failure = error
            }
            guard let pause = pauses.next(within: patience) else { throw failure }
            try await Task.sleep(for: pause)
        }
    }
}
