import Consent
import Counting
import Formats
import Identifiers
import JSON
import Messages
import StoragePorts
import TestSupport
import Testing
import TrackingIDs

@testable import UseCases

@Suite struct ComposerTests {
    private let clock = HandClock()
    private let recipients: [RecipientID]

    init() throws { recipients = [try RecipientID("ana@example.com"), try RecipientID("ben@example.com")] }

    private func composer(_ records: Records) throws -> Composer {
        Composer(
            consent: records, decisions: records, metrics: DecisionMetrics(),
            keys: CurrentKeyRing(try Samples.keyRing()), linkLifetimeInDays: 30, now: { [clock] in clock.now() })
    }

    private func compile(_ message: StoredMessage) throws -> CompiledMessage {
        try CompiledMessage(
            message.content, format: .plain, origin: try PublicOrigin("https://links.example"),
            organization: message.organization, at: .root)
    }

    private var given: ConsentStatus { get throws { .inForce(try consent(.given)) } }
    private var withdrawn: ConsentStatus { get throws { .inForce(try consent(.withdrawn)) } }

    private func consent(_ state: ConsentState) throws -> ConsentInForce {
        ConsentInForce(
            record: ConsentRecordID(try Samples.number(3)), state: state, occurredAt: .noon, validUntil: nil)
    }

    private func effect() throws -> RequestEffect {
        RequestEffect(first: try Samples.number(100), last: try Samples.number(101), isNew: true)
    }

    @Test("consent in force is a tracked payload, and a decision that is stored first")
    func tracked() async throws {
        let (records, message) = (Records(try given), try Samples.message())
        let composed = try await composer(records).compose(
            message, as: compile(message), for: recipients, in: Samples.organization())
        #expect(composed.decisions.recorded == records.recorded)
        #expect(composed.decisions.recorded.map(\.reason) == [.consentGiven, .consentGiven])
        #expect(composed.decisions.recorded.allSatisfy { $0.permit != .untracked })
    }

    @Test("a message that is not to be tracked has untracked payloads only")
    func trackingOff() async throws {
        let (records, message) = (Records(try given), try Samples.message(tracking: false))
        let composed = try await composer(records).compose(
            message, as: compile(message), for: recipients, in: Samples.organization())
        #expect(composed.decisions.recorded.map(\.reason) == [.trackingOffForMessage, .trackingOffForMessage])
        #expect(composed.decisions.recorded.allSatisfy { $0.permit == .untracked })
    }

    @Test("a preview judges as composing does, and stores no decision")
    func preview() async throws {
        let statuses: [ConsentStatus] = [try given, try withdrawn, .nothing, .erased]
        for (status, tracking) in statuses.flatMap({ [($0, true), ($0, false)] }) {
            for enforcement in [Enforcement.restrictive, .nonRestrictive] {
                let (records, message) = (Records(status), try Samples.message(tracking: tracking))
                records.enforce(enforcement)
                let composer = try composer(records)
                let looked = PreviewedMessage(content: message.content, id: nil)
                let shown = try await composer.preview(
                    looked, as: compile(message), for: recipients, in: Samples.organization(enforcement))
                #expect(records.appends == 0)
                #expect(shown.message == nil && shown.recipients == recipients)
                let composed = try await composer.compose(
                    message, as: compile(message), for: recipients, in: Samples.organization(enforcement))
                #expect(
                    shown.reasons == composed.decisions.recorded.map { .together($0.reason) }, "\(status) \(tracking)")
            }
        }
    }

    @Test("a preview refuses a lifetime that no link can carry, as composing does")
    func previewExpiry() async throws {
        let message = try Samples.message(expiresAt: Timestamp(millisecondsSince1970: -2000))
        await #expect(throws: TrackingIDError.expiryOutOfRange) {
            try await composer(Records(try given)).preview(
                PreviewedMessage(content: message.content, id: message.id), as: compile(message), for: recipients,
                in: Samples.organization())
        }
    }

    @Test("when a recipient is erased meanwhile, it asks and decides again, five times at most")
    func stale() async throws {
        let (records, message) = (Records(try given), try Samples.message())
        records.refuseAppends(4)
        _ = try await composer(records).compose(
            message, as: compile(message), for: recipients, in: Samples.organization())
        #expect(records.appends == 5)
        records.refuseAppends(5)
        await #expect(throws: StaleSnapshot.self) {
            try await composer(records).compose(
                message, as: compile(message), for: recipients, in: Samples.organization())
        }
        #expect(records.appends == 10)
    }

    @Test("an evaluation that is outdated when its decisions are stored is made anew, with what was said since")
    func staleEvaluation() async throws {
        let (records, message) = (Records(try given), try Samples.message())
        let composer = try composer(records)
        let evaluation = try await composer.evaluate(recipients, for: message, in: Samples.organization())
        records.say(try withdrawn)
        records.refuseAppends(1)
        _ = try await composer.decide(by: evaluation, of: message)
        #expect(records.appends == 2 && records.asked == 2)
        #expect(records.recorded.map(\.reason) == [.consentWithdrawn, .consentWithdrawn])
    }

    @Test("a recorder that loses a decision ends the process before a payload is made")
    func decisionLost() async {
        await #expect(processExitsWith: .failure) {
            let tests = try ComposerTests()
            let (records, message) = (Records(.nothing), try Samples.message())
            records.loseDecisions()
            _ = try await tests.composer(records).compose(
                message, as: tests.compile(message), for: tests.recipients, in: Samples.organization())
        }
    }

    @Test("when the enforcement changes meanwhile, it decides again by the new one", arguments: Enforcement.allCases)
    func enforcementChanges(_ enforcement: Enforcement) async throws {
        let (records, message) = (Records(.nothing), try Samples.message())
        records.changeEnforcement(to: enforcement)
        // As it was read before the request was composed.
        let composed = try await composer(records).compose(
            message, as: compile(message), for: recipients, in: Samples.organization())
        let reason: DecisionReason = enforcement == .restrictive ? .noConsentRecord : .notOptedOut
        #expect(composed.decisions.recorded.map(\.reason) == [reason, reason])
        #expect(records.appends == 2)
    }

    @Test("a repeated request is untracked for who was tracked unasked, once that is no longer enough")
    func replayAfterEnforcement() async throws {
        let (records, message) = (Records(.nothing), try Samples.message())
        records.changeEnforcement(to: .nonRestrictive)
        _ = try await composer(records).compose(
            message, as: compile(message), for: recipients, in: Samples.organization())
        #expect(records.recorded.map(\.reason) == [.notOptedOut, .notOptedOut])
        records.enforce(.restrictive)
        let again = try await composer(records).replay(
            message, as: compile(message), for: recipients, in: Samples.organization(), effect())
        #expect(again.decisions.ended == [0: .noConsentRecord, 1: .noConsentRecord])
    }

    @Test("a repeated request stores no decision, and is untracked for who withdrew since, with the reason")
    func replay() async throws {
        let (records, message) = (Records(try given), try Samples.message())
        _ = try await composer(records).compose(
            message, as: compile(message), for: recipients, in: Samples.organization())
        let again = try await composer(records).replay(
            message, as: compile(message), for: recipients, in: Samples.organization(), effect())
        #expect(again.decisions.recorded == records.recorded && again.decisions.ended.isEmpty)
        records.say(try withdrawn)
        let after = try await composer(records).replay(
            message, as: compile(message), for: recipients, in: Samples.organization(), effect())
        #expect(after.decisions.recorded.map(\.reason) == [.consentGiven, .consentGiven], "the decision stands")
        #expect(after.decisions.recorded.allSatisfy { $0.permit == .untracked })
        #expect(after.decisions.ended == [0: .consentWithdrawn, 1: .consentWithdrawn])
        #expect(records.appends == 1)
    }

    @Test("a recipient who was not tracked then is not tracked in the answer to a repeated request")
    func replayUntracked() async throws {
        let (records, message) = (Records(.nothing), try Samples.message())
        _ = try await composer(records).compose(
            message, as: compile(message), for: recipients, in: Samples.organization())
        records.say(try given)
        let again = try await composer(records).replay(
            message, as: compile(message), for: recipients, in: Samples.organization(), effect())
        #expect(again.decisions.recorded.allSatisfy { $0.permit == .untracked } && again.decisions.ended.isEmpty)
    }

    @Test("a repeated request says that its recipient was erased, also once they have consented again")
    func replayErased() async throws {
        let (records, message) = (Records(try given), try Samples.message())
        _ = try await composer(records).compose(
            message, as: compile(message), for: recipients, in: Samples.organization())
        records.forgetRecipients()
        let again = try await composer(records).replay(
            message, as: compile(message), for: recipients, in: Samples.organization(), effect())
        #expect(again.decisions.recorded.allSatisfy { $0.permit == .untracked })
        #expect(again.decisions.ended == [0: .recipientErased, 1: .recipientErased])
    }

    @Test("a repeated request for other recipients than the first is not found, and nobody is tracked by it")
    func replayOthers() async throws {
        let (records, message) = (Records(try given), try Samples.message())
        _ = try await composer(records).compose(
            message, as: compile(message), for: recipients, in: Samples.organization())
        await #expect(throws: RequestRefusal.notFound) {
            try await composer(records).replay(
                message, as: compile(message), for: Array(recipients.prefix(1)), in: Samples.organization(), effect())
        }
    }

    @Test("links record until the message's own end, and no longer than the lifetime of links, whatever was stored")
    func expiry() async throws {
        let day: Int64 = 86_400_000
        for (own, days) in [(nil, 30), (Timestamp.noon + 2 * day, 2), (Timestamp.noon + 90 * day, 30)] {
            let message = try Samples.message(expiresAt: own)
            let records = Records(try given)
            let evaluation = try await composer(records).evaluate(
                recipients, for: message, in: Samples.organization())
            let composed = try await composer(records).compose(message, as: compile(message), for: evaluation)
            let decidedAt = try #require(composed.decisions.recorded.first?.id.number.timestamp)
            let latest = try LinkExpiry(messageExpiresAt: nil, composedAt: decidedAt, lifetimeInDays: 30)
            let asked = try own.map { try LinkExpiry(messageExpiresAt: $0, composedAt: decidedAt, lifetimeInDays: 30) }
            #expect(composed.expiry == min(asked ?? latest, latest), "\(days) days")
        }
    }

    @Test("a lifetime that no link can carry is refused before anything is stored")
    func endless() async throws {
        let (records, message) = (Records(try given), try Samples.message())
        let composer = Composer(
            consent: records, decisions: records, metrics: DecisionMetrics(),
            keys: CurrentKeyRing(try Samples.keyRing()), linkLifetimeInDays: 100_000, now: { .noon })
        await #expect(throws: TrackingIDError.self) {
            try await composer.compose(message, as: compile(message), for: recipients, in: Samples.organization())
        }
        #expect(records.appends == 0)
    }

    @Test("decisions are counted by their reason when they are durable, and what was refused is not")
    func counted() async throws {
        let (records, message, metrics) = (Records(try given), try Samples.message(), DecisionMetrics())
        let composer = Composer(
            consent: records, decisions: records, metrics: metrics, keys: CurrentKeyRing(try Samples.keyRing()),
            linkLifetimeInDays: 30, now: { .noon })
        records.refuseAppends(5)
        _ = try? await composer.compose(message, as: compile(message), for: recipients, in: Samples.organization())
        func count() -> Substring? {
            PrometheusText(metrics.metrics).text.split(separator: "\n")
                .first { $0.contains(#"{outcome="tracked",reason="consentGiven"}"#) }?.split(separator: " ").last
        }
        #expect(count() == "0")
        _ = try await composer.compose(message, as: compile(message), for: recipients, in: Samples.organization())
        #expect(count() == "2")
    }

    @Test("recipients of previews are counted apart from decisions, by what would have been decided")
    func previewsCounted() async throws {
        let (records, message, metrics) = (Records(try withdrawn), try Samples.message(), DecisionMetrics())
        let composer = Composer(
            consent: records, decisions: records, metrics: metrics, keys: CurrentKeyRing(try Samples.keyRing()),
            linkLifetimeInDays: 30, now: { .noon })
        _ = try await composer.preview(
            PreviewedMessage(content: message.content, id: nil), as: compile(message), for: recipients,
            in: Samples.organization())
        let counted = PrometheusText(metrics.metrics).text.split(separator: "\n").filter {
            $0.hasPrefix("consentlink_") && !$0.hasSuffix(" 0")
        }
        #expect(records.askedUndecided == 1 && records.asked == 0, "no decisions follow that a store would prepare for")
        #expect(counted == [#"consentlink_previews_total{outcome="untracked",reason="consentWithdrawn"} 2"#])
    }

    @Test("an evaluation is decided by for a tenth of a second")
    func freshness() async throws {
        let (records, message) = (Records(try given), try Samples.message())
        let composer = try composer(records)
        let evaluation = try await composer.evaluate(recipients, for: message, in: Samples.organization())
        clock.advance(byMilliseconds: 100)
        #expect(composer.isFresh(evaluation))
        clock.advance(byMilliseconds: 1)
        #expect(!composer.isFresh(evaluation))
        #expect(records.appends == 0, "an evaluation stores nothing")
    }
}
