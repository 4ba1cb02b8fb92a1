import Consent
import Identifiers
import Messages
import StoragePorts
import Synchronization
import TestSupport
import Testing

/// Writes down what it is told, in order.
private final class Told: ConsentObserver, MessageObserver {
    enum Event: Equatable {
        case consent([ConsentChange], OrganizationID)
        case erased(RecipientReference, OrganizationID)
        case reloaded([RecordingScope: [RecordingEnd]], Enforcement, OrganizationID)
        case privacyControl(Bool, OrganizationID)
        case message(MessageID, isDisabled: Bool)
        case allMessages
    }

    private let state = Mutex<[Event]>([])

    var events: [Event] { state.withLock { $0 } }

    func consentChanged(_ changes: [ConsentChange], in organization: OrganizationID) {
        add(.consent(changes, organization))
    }
    func recipientErased(_ reference: RecipientReference, in organization: OrganizationID) {
        add(.erased(reference, organization))
    }
    func recordingReloaded(
        _ ends: [RecordingScope: [RecordingEnd]], enforcement: Enforcement, in organization: OrganizationID
    ) {
        add(.reloaded(ends, enforcement, organization))
    }
    func historyReplaced() {}
    func privacyControlChanged(isHonored: Bool, in organization: OrganizationID) {
        add(.privacyControl(isHonored, organization))
    }
    func messageChanged(_ message: StoredMessage) { add(.message(message.id, isDisabled: message.isDisabled)) }
    func allMessagesChanged() { add(.allMessages) }

    private func add(_ event: Event) { state.withLock { $0.append(event) } }
}

/// What a feed carries reaches the memory of the redirect as the change that it is.
@Suite struct RuleChangeTests {
    private let acme: OrganizationID
    private let reference: RecipientReference
    private let ends: [RecordingScope: [RecordingEnd]]

    init() throws {
        acme = try OrganizationID("acme")
        reference = try #require(RecipientReference(rawValue: 7))
        ends = [.purpose(.tracking): [RecordingEnd(reference: reference, end: .noon)]]
    }

    @Test("each change tells the observer that it concerns, once, and of nothing else")
    func each() throws {
        let change = ConsentChange(reference: reference, purpose: .tracking, status: .nothing)
        let message = StoredMessage(
            id: try #require(MessageID(rawValue: 9)), organization: acme, content: Message(name: "spring"),
            createdAt: .noon, isDisabled: true)
        let changes: [(RuleChange, Told.Event)] = [
            (.consent([change], acme), .consent([change], acme)), (.consent([], acme), .consent([], acme)),
            (.erasure(reference, acme), .erased(reference, acme)),
            (.recording(ends, .nonRestrictive, acme), .reloaded(ends, .nonRestrictive, acme)),
            (.privacyControl(isHonored: false, acme), .privacyControl(false, acme)),
            (.message(message), .message(message.id, isDisabled: true)),
        ]
        for (change, event) in changes {
            let told = Told()
            change.notify(told, told)
            #expect(told.events == [event])
        }
    }

    @Test(
        "a no, an erasure, and a yes with an end may end recording; a yes without one does not",
        arguments: [(.given, false, false), (.given, true, true)]
            + ConsentState.allCases.filter(\.endsTracking).map { ($0, false, true) }
            as [(ConsentState, Bool, Bool)])
    func endsRecording(_ state: ConsentState, _ hasEnd: Bool, _ expected: Bool) throws {
        let consent = ConsentInForce(
            record: try #require(ConsentRecordID(rawValue: 3)), state: state, occurredAt: .noon,
            validUntil: hasEnd ? .noon + 1 : nil)
        let silence = ConsentChange(reference: reference, purpose: .tracking, status: .nothing)
        let change = ConsentChange(reference: reference, purpose: .tracking, status: .inForce(consent))
        #expect(RuleChange.consent([silence, change], acme).endsRecording == expected)
        let erased = ConsentChange(reference: reference, purpose: .tracking, status: .erased)
        #expect(RuleChange.consent([silence, erased], acme).endsRecording)
        #expect(RuleChange.erasure(reference, acme).endsRecording)
    }

    /// A reload forgets what was known of an organization's recipients, so erasures must come after it.
    @Test("the rules of an organization tell who was erased after the ends that replace what was known")
    func snapshot() throws {
        let other = try #require(RecipientReference(rawValue: 8))
        let rules = OrganizationRules(
            organization: acme, enforcement: .restrictive, honorsGPC: true, ends: ends, erased: [reference, other])
        let told = Told()
        for change in rules.changes { change.notify(told, told) }
        let reload = try #require(told.events.firstIndex(of: .reloaded(ends, .restrictive, acme)))
        let erasures = try [reference, other].map { try #require(told.events.firstIndex(of: .erased($0, acme))) }
        #expect(erasures.allSatisfy { $0 > reload })
        #expect(told.events.contains(.privacyControl(true, acme)))
        #expect(told.events.count == 4)
    }

    @Test("a cursor is another one where the same position has another mark")
    func cursors() {
        let cursor = RuleCursor(position: 4, mark: 1)
        #expect(cursor == RuleCursor(position: 4, mark: 1))
        #expect(cursor != RuleCursor(position: 4, mark: 2))
        #expect(cursor != RuleCursor(position: 5, mark: 1))
    }
}
