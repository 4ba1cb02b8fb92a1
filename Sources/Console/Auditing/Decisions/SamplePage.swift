import Consent
import HTTPTypes
import Identifiers
import Organizations
import Pages
import UseCases

/// A random sample of decisions, which anybody can draw again.
struct SamplePage: Sendable {
    private static let standardSize = 25

    let sampling: DecisionSampling

    private struct View {
        let texts: DecisionTexts
        let action: String
        let seed: String
        let size: Int
        let mostSize: Int
        let through: String
        let from: String
        let to: String
        let failure: String?
        let drawn: String?
        let isIncomplete: Bool
        let table: String?
        let back: String
    }

    @Sendable func answer(_ call: ConsoleCall) async throws -> ConsoleAnswer {
        let texts = DecisionTexts.all[call.language]
        guard let seed = try call.queryValue("seed", SampleSeed.init) else {
            return .page(page(call, texts, nil, failure: nil))
        }
        let request = DecisionSampleRequest(
            seed: seed, size: try call.queryValue("size", Self.size) ?? Self.standardSize,
            through: try call.queryValue("through", Self.entries),
            filter: DecisionQuery(from: try call.queryDay("from"), to: try call.queryDay("to")))
        do {
            let sample = try await sampling.sample(request, in: call.requiredOrganization.id)
            // The address is one that draws the same again, however the ledger grows.
            guard request.through != nil else {
                return .redirect(
                    to: call.address(adding: [
                        ("size", String(request.size)), ("through", String(sample.through)),
                    ]))
            }
            return .page(page(call, texts, sample, failure: nil))
        } catch SampleError.shorter(let size) {
            var page = page(call, texts, nil, failure: texts.shorter(call.format.integer(Int(size))))
            page.status = .unprocessableContent
            return .page(page)
        }
    }

    private static func size(_ text: String) throws(SampleError) -> Int {
        guard let size = Int(text), (1...DecisionSampleRequest.greatestSize).contains(size) else { throw .size }
        return size
    }

    private static func entries(_ text: String) throws(SampleError) -> UInt64 {
        guard let size = UInt64(text), size <= UInt64(Int64.max) else { throw .through }
        return size
    }

    private func page(
        _ call: ConsoleCall, _ texts: DecisionTexts, _ sample: DecisionSample?, failure: String?
    ) -> ConsolePage {
        let format = call.format
        let table = sample.map { self.table($0, call, texts) }
        let drawn = sample.map { sample in
            texts.drawn(
                format.integer(sample.items.count), format.integer(Int(sample.draws)),
                format.integer(Int(sample.leaves.lowerBound)), format.integer(Int(sample.leaves.upperBound)),
                format.integer(Int(sample.through)))
        }
        let view = View(
            texts: texts, action: call.path, seed: call.query("seed") ?? "",
            size: call.query("size").flatMap(Int.init) ?? Self.standardSize,
            mostSize: DecisionSampleRequest.greatestSize, through: call.query("through") ?? "",
            from: call.query("from") ?? "", to: call.query("to") ?? "", failure: failure, drawn: drawn,
            isIncomplete: sample.map { !$0.isComplete } ?? false, table: table?.html(format).text,
            back: call.path("decisions"))
        return ConsolePage(
            area: .decisions, title: texts.sampleTitle, lead: texts.sampleLead,
            content: Templates.render("decision-sample", view), tables: table.map { [$0] } ?? [])
    }

    private func table(_ sample: DecisionSample, _ call: ConsoleCall, _ texts: DecisionTexts) -> ConsoleTable {
        let words = DecisionWords.all[call.language]
        return ConsoleTable(
            name: "sample", caption: texts.sampleCaption,
            columns: [
                .init("leaf", texts.leaf, .number), .init("id", "ID"), .init("decidedAt", texts.time),
                .init("outcome", texts.outcome), .init("reason", texts.reason), .init("message", texts.message),
            ],
            rows: sample.items.map { item in
                let (decision, reason) = (item.decision, item.decision.reason)
                return [
                    .number(Int(item.leaf)), .code(decision.id.description), .time(decision.decidedAt),
                    .state(
                        words.outcome(reason), code: reason.outcome.rawValue,
                        tone: reason.outcome == .tracked ? .good : .neutral),
                    .state(words.name(reason), code: reason.rawValue, tone: .neutral),
                    .link(decision.message.description, path: call.path("campaigns/\(decision.message)")),
                ]
            }, whenEmpty: texts.none)
    }
}
