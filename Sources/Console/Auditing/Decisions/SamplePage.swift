import Consent
import HTTPTypes
import Identifiers
import Organizations
import Pages
import UseCases

/// A random sample of decisions, which any user can draw again.
struct SamplePage: Sendable {
    private static let standardSize = 25
    /// The most rows on a page; the files have all.
    private static let maximumRowCount = 100

    let sampler: DecisionSampler

    private struct View {
        let texts: DecisionTexts
        let action: String
        let seed: String
        let size: String
        let mostSize: Int
        let through: String
        let from: String
        let to: String
        let message: String
        let failure: FieldFailure?
        let invalid: [String: Bool]
        let drawn: String?
        let isIncomplete: Bool
        /// Set if the page does not have all rows.
        let firstRows: String?
        let table: String?
        let back: String
    }

    @Sendable func answer(_ call: ConsoleCall) async throws -> ConsoleResponse {
        let texts = DecisionTexts.all[call.language]
        let failure: FieldFailure
        do {
            guard let request = try request(call) else { return .page(page(call, texts, nil, nil)) }
            let sample = try await sampler.sample(request, in: call.requiredOrganization.id)
            // The address draws the same sample again, however the ledger grows.
            guard request.through != nil else {
                return .redirect(
                    to: call.address(adding: [
                        ("size", String(request.size)), ("through", String(sample.through)),
                    ]))
            }
            return .page(page(call, texts, sample, nil))
        } catch SampleError.shorter(let size) {
            failure = FieldFailure("through", texts.shorter(call.format.amount(Int(clamping: size))))
        } catch ConsoleRefusal.unfit(let field, let fault) {
            failure = FieldFailure(field, fault, texts.fields, call.language)
        }
        var refused = page(call, texts, nil, failure)
        refused.status = .unprocessableContent
        return .page(refused)
    }

    /// - Returns: `nil` if the query asks for nothing yet.
    /// - Throws: ``ConsoleRefusal/unfit(field:_:)``
    private func request(_ call: ConsoleCall) throws -> DecisionSampleRequest? {
        guard let seed = try call.queryValue("seed", SampleSeed.init) else { return nil }
        let days = try call.queryDays()
        return DecisionSampleRequest(
            seed: seed, size: try call.queryValue("size", DecisionSampleRequest.size) ?? Self.standardSize,
            through: try call.queryValue("through", DecisionSampleRequest.entries),
            filter: DecisionQuery(message: try call.queryID("message"), from: days.from, to: days.to))
    }

    private func page(
        _ call: ConsoleCall, _ texts: DecisionTexts, _ sample: DecisionSample?, _ failure: FieldFailure?
    ) -> ConsolePage {
        let format = call.format
        let drawn = sample.map { sample in
            texts.drawn(
                format.amount(sample.items.count), format.amount(Int(clamping: sample.draws)),
                format.integer(Int(clamping: sample.leaves.lowerBound)),
                format.integer(Int(clamping: sample.leaves.upperBound)), format.integer(Int(clamping: sample.through)))
        }
        let count = sample?.items.count ?? 0
        let shown = sample.map { table($0.items.prefix(Self.maximumRowCount), call, texts) }
        let view = View(
            texts: texts, action: call.path, seed: (call.query("seed") ?? "").escapedForHTML.text,
            size: call.query("size") ?? String(Self.standardSize), mostSize: DecisionSampleRequest.maximumSize,
            through: call.query("through") ?? "", from: call.query("from") ?? "", to: call.query("to") ?? "",
            message: call.query("message") ?? "", failure: failure, invalid: failure.invalid, drawn: drawn,
            isIncomplete: sample.map { !$0.isComplete } ?? false,
            firstRows: count > Self.maximumRowCount
                ? texts.firstRows(format.integer(Self.maximumRowCount), format.integer(count)) : nil,
            table: shown?.html(format).text, back: call.path("decisions"))
        return ConsolePage(
            area: .decisions, title: texts.sampleTitle, lead: texts.sampleLead,
            content: Templates.render("decision-sample", view),
            tables: sample.map { [table($0.items[...], call, texts)] } ?? [])
    }

    private func table(
        _ items: ArraySlice<DecisionSample.Item>, _ call: ConsoleCall, _ texts: DecisionTexts
    ) -> ConsoleTable {
        let words = DecisionWords.all[call.language]
        return ConsoleTable(
            name: "sample", caption: texts.sampleCaption,
            columns: [
                .init("leaf", texts.leaf, .number), .init("id", "ID"), .init("decidedAt", texts.time),
                .init("outcome", texts.outcome), .init("reason", texts.reason), .init("message", texts.message),
            ],
            rows: items.map { item in
                let (decision, reason) = (item.decision, item.decision.reason)
                return [
                    .number(Int(clamping: item.leaf)), .code(decision.id.description), .time(decision.decidedAt),
                    words.outcomeCell(reason),
                    .state(words.name(reason), code: reason.rawValue, tone: .neutral),
                    .link(decision.message.description, path: call.path("campaigns/\(decision.message)")),
                ]
            }, whenEmpty: texts.none)
    }
}
