import Identifiers
import Interactions

/// The answer in one sentence: is a click being lost now?
struct HealthBanner {
    let tone: ConsoleTable.Tone
    let headline: String
    let detail: String

    init(_ state: ServiceState, _ texts: HealthTexts, _ format: NumberFormat) {
        if let loss = state.losses.loss, state.losses.isGoingOn {
            tone = .bad
            headline = texts.loss(texts.reason(loss.reason))
            detail = texts.lossSince(format.second(loss.since), Self.redirected(loss, texts, format))
            return
        }
        let isReady = state.links.isEmpty && state.api.isEmpty
        tone = isReady ? .good : .warning
        headline = isReady ? texts.noLoss : texts.notAllReady
        guard let loss = state.losses.loss else {
            detail = texts.neverLost
            return
        }
        detail = texts.lastLoss(
            format.second(loss.since), format.second(loss.until), Self.redirected(loss, texts, format),
            texts.reason(loss.reason))
    }

    private static func redirected(_ loss: LossWatch.Loss, _ texts: HealthTexts, _ format: NumberFormat) -> String {
        texts.redirected(loss.clicks, format.integer(Int(clamping: loss.clicks)))
    }
}
