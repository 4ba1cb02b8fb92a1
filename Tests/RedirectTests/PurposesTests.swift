import Consent
import Identifiers
import Interactions
import Messages
import TestSupport
import Testing

@testable import Redirect

/// Whether something is recorded follows from the purpose that the message names for it.
@Suite("Recording of a message that asks for clicks and opens apart")
struct PurposesTests {
    private let rules: RecordingRules
    private let message: LinkedMessage
    private let recipient: RecipientReference
    private let opens: Purpose

    init() throws {
        let table = RecordingRulesTable()
        table.recordingReloaded([:], enforcement: .restrictive, in: try .acme())
        rules = table.rules(of: try .acme())
        opens = try Purpose("opens")
        recipient = try .sample(1)
        message = LinkedMessage(
            try .sample(purposes: MessagePurposes(clicks: .tracking, opens: opens)), rules: rules)
    }

    private func isRecorded(_ activity: TrackedActivity, of message: LinkedMessage) -> Bool {
        message.recordingPolicy(for: recipient, of: activity, expires: .noon + 1, at: .noon).verdict(at: .noon)
            == .record
    }

    @Test("each activity ends with the consent to its own purpose", arguments: TrackedActivity.allCases)
    func lists(_ activity: TrackedActivity) throws {
        #expect(TrackedActivity.allCases.allSatisfy { isRecorded($0, of: message) })
        rules.revocations(for: message.purposes[activity]).set(recipient, end: .noon)
        for other in TrackedActivity.allCases {
            #expect(isRecorded(other, of: message) == (other != activity))
            // A version of it with more links is asked in the same way.
            let more = LinkedMessage(try .sample(purposes: message.purposes), rules: rules).keepingLinks(of: message)
            #expect(isRecorded(other, of: more) == (other != activity))
        }
    }

    @Test("one purpose ends both")
    func together() throws {
        let message = LinkedMessage(try .sample(), rules: rules)
        rules.revocations(for: .tracking).set(recipient, end: .noon)
        #expect(TrackedActivity.allCases.allSatisfy { !isRecorded($0, of: message) })
    }

    @Test("a no to opens apart from links counts where a message has one purpose for both, as far as its opens go")
    func openTracking() async throws {
        let message = LinkedMessage(try .sample(), rules: rules)
        rules.refusedOpens.set(recipient, end: .noon)
        #expect(isRecorded(.clicks, of: message) && !isRecorded(.opens, of: message))
        let named = LinkedMessage(try .sample(purpose: opens), rules: rules)
        #expect(isRecorded(.opens, of: named), "another purpose has its own answers")
        // The same when what was recorded before is stored.
        let bench = try DrainTests.Bench()
        let no = ConsentInForce(
            record: try #require(ConsentRecordID(rawValue: 2)), state: .refused, occurredAt: .noon, validUntil: nil)
        bench.consent.set(recipient, .inForce(no), for: .openTracking)
        let open = Occurrence(
            kind: .messageOpened, source: .redirect, occurredAt: .noon, message: try .sample(), recipient: recipient,
            link: .message, visitor: .browserAgent)
        try await bench.spool(open, .click(by: 1), .click(by: 2))
        try await bench.drain.finish(within: .seconds(60))
        #expect(Set(bench.interactions.stored.values.map(\.kind)) == [.pushLinkClicked])
        #expect(bench.interactions.stored.count == 2)
    }

    @Test("a no to opens apart from links counts for a message whose opens alone need consent to tracking")
    func openTrackingOfOpensAlone() throws {
        let message = LinkedMessage(
            try .sample(purposes: MessagePurposes(clicks: Purpose("mail"), opens: .tracking)), rules: rules)
        rules.refusedOpens.set(recipient, end: .noon)
        #expect(isRecorded(.clicks, of: message) && !isRecorded(.opens, of: message))
    }

    @Test("a no to opens apart from links counts for a version of the message with more links")
    func openTrackingOfMoreLinks() throws {
        let more = LinkedMessage(try .sample(addedLinks: [.added(4)]), rules: rules)
        let message = LinkedMessage(try .sample(), rules: rules).keepingLinks(of: more)
        #expect(message.has(LinkIndex(rawValue: 4)))
        rules.refusedOpens.set(recipient, end: .noon)
        #expect(isRecorded(.clicks, of: message) && !isRecorded(.opens, of: message))
    }

    @Test("every kind of interaction tells of one activity")
    func kinds() {
        let clicks: Set<InteractionKind> = [.pushLinkClicked, .pushNotificationClicked]
        for kind in InteractionKind.allCases {
            #expect(kind.activity == (clicks.contains(kind) ? .clicks : .opens), "\(kind)")
        }
    }
}
