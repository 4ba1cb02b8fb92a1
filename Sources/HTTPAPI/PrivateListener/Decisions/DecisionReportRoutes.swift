import Consent
import Hummingbird
import Identifiers
import Interactions
import JSON
import Organizations
import Reports
import UseCases

/// How many decisions there are, and a random sample of them: for auditors.
struct DecisionReportRoutes {
    let sampler: DecisionSampler
    let reports: any ReportStore
    let now: @Sendable () -> Timestamp

    var routes: [Route] {
        [
            Route(.get, "/v1/orgs/{org}/decisions/summary", .scopes([.read]), readsQuery: true, summary),
            Route(.get, "/v1/orgs/{org}/decisions/sample", .scopes([.read]), readsQuery: true, sample),
        ]
    }

    @Sendable private func summary(_ call: AuthenticatedRequest) async throws -> Response {
        var query = try QueryReader(call.request)
        let message = try query.take("message", MessageID.parse)
        let from = try query.take("from", Timestamp.init(rfc3339:))
        let to = try query.take("to", Timestamp.init(rfc3339:))
        try query.finish()
        let organization = try call.organization
        if let message {
            guard from == nil, to == nil else {
                throw Problem(query: from == nil ? "to" : "from", "a message is counted as a whole; leave it out")
            }
            guard let counts = try await reports.counts(of: message, in: organization) else { throw Problem.notFound }
            return Self.summary(message: message, time: nil, counts.decisions, days: nil)
        }
        let now = now()
        let selection = try await Problem.ofSelection(at: Problem.selectionMember(from: from, to: to)) {
            try ReportSelection(from: from, to: to, now: now)
        }
        let days = try await reports.decisions(on: selection, in: organization)
        let all = days.values.reduce(into: [:]) { $0.merge($1, uniquingKeysWith: Int.countSum) }
        return Self.summary(message: nil, time: selection, all, days: days.sorted { $0.key < $1.key })
    }

    private static func summary(
        message: MessageID?, time: ReportSelection?, _ counts: [DecisionReason: Int],
        days: [(key: CalendarDay, value: [DecisionReason: Int])]?
    ) -> Response {
        .json { writer in
            writer.object { writer in
                writer.member("message", message?.description)
                writer.member("from", time?.from.rfc3339)
                writer.member("to", time?.to.rfc3339)
                writer.summary(of: counts)
                writer.key("days")
                guard let days else { return writer.null() }
                writer.array { writer in
                    for (day, counts) in days {
                        writer.object { writer in
                            writer.member("day", day.description)
                            writer.summary(of: counts)
                        }
                    }
                }
            }
        }
    }

    @Sendable private func sample(_ call: AuthenticatedRequest) async throws -> Response {
        var query = try QueryReader(call.request)
        guard let seed = try query.takeText("seed", SampleSeed.init) else {
            throw Problem(query: "seed", "is missing")
        }
        let size = try query.take("size", DecisionSampleRequest.size) ?? 100
        let through = try query.take("through", DecisionSampleRequest.entries)
        let times = try query.takeTimes()
        let filter = DecisionQuery(
            message: try query.take("message", MessageID.parse), outcome: try query.takeChoice("outcome"),
            reason: try query.takeChoice("reason"), from: times.from, to: times.to)
        try query.finish()
        let asked = DecisionSampleRequest(seed: seed, size: size, through: through, filter: filter)
        let sample: DecisionSample
        do {
            sample = try await sampler.sample(asked, in: try call.organization)
        } catch let error as SampleError {
            throw Problem(query: "through", error.description)
        }
        return .json { writer in writer.object { $0.members(of: sample, as: asked) } }
    }
}

extension JSONWriter {
    /// The members `decisions`, `tracked`, `untracked` and `reasons`.
    fileprivate mutating func summary(of counts: [DecisionReason: Int]) {
        member("decisions", counts.values.countSum)
        member("tracked", counts.filter { $0.key.outcome == .tracked }.values.countSum)
        member("untracked", counts.filter { $0.key.outcome == .untracked }.values.countSum)
        key("reasons")
        object { writer in
            for reason in DecisionReason.allCases {
                if let count = counts[reason], count > 0 { writer.member(reason.rawValue, count) }
            }
        }
    }

    fileprivate mutating func members(of sample: DecisionSample, as asked: DecisionSampleRequest) {
        member("seed", asked.seed.text)
        member("size", asked.size)
        member("through", sample.through)
        member("firstLeaf", sample.leaves.lowerBound)
        member("endLeaf", sample.leaves.upperBound)
        member("draws", sample.draws)
        member("isComplete", sample.isComplete)
        key("sample")
        array { writer in
            for item in sample.items {
                writer.object { writer in
                    writer.member("leaf", item.leaf)
                    writer.key("decision")
                    writer.object { $0.members(of: item.decision) }
                }
            }
        }
    }
}
