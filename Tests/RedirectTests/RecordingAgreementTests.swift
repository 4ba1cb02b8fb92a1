import Consent
import Identifiers
import Interactions
import Messages
import TestSupport
import Testing

@testable import Redirect

/// Memory decides what goes into the spool, the consent store what comes out of it. As long as nothing is recorded in
/// between, both say the same.
@Suite struct RecordingAgreementTests {
    /// What a recipient may have said about one purpose by noon.
    private enum Answer: CaseIterable {
        case nothing
        case given
        case ends
        case ended
        case refused
        case withdrawn
        case revoked
        case invalidated

        func status() throws -> ConsentStatus {
            switch self {
            case .nothing: .nothing
            case .given: try inForce(.given)
            case .ends: try inForce(.given, until: .noon + 1)
            case .ended: try inForce(.given, until: .noon)
            case .refused: try inForce(.refused)
            case .withdrawn: try inForce(.withdrawn)
            case .revoked: try inForce(.revoked)
            case .invalidated: try inForce(.invalidated)
            }
        }

        private func inForce(_ state: ConsentState, until end: Timestamp? = nil) throws -> ConsentStatus {
            .inForce(
                ConsentInForce(
                    record: try #require(ConsentRecordID(rawValue: 1)), state: state, occurredAt: .noon + -5000,
                    validUntil: end))
        }
    }

    /// A recipient for each pair of answers.
    private struct Person {
        let reference: RecipientReference
        let tracking: Answer
        let openTracking: Answer
        /// By purpose; the same for every other one as for `tracking`.
        let statuses: [(purpose: Purpose, status: ConsentStatus)]

        init(_ number: Int, _ tracking: Answer, _ openTracking: Answer) throws {
            reference = try .sample(UInt64(number + 1))
            self.tracking = tracking
            self.openTracking = openTracking
            statuses = [
                (.tracking, try tracking.status()), (.openTracking, try openTracking.status()),
                (try Purpose("news"), try tracking.status()),
            ]
        }
    }

    /// What somebody did with a message.
    private struct Act: Hashable {
        let message: MessageID
        let recipient: RecipientReference
        let kind: InteractionKind
    }

    private static func people() throws -> [Person] {
        let pairs = Answer.allCases.flatMap { tracking in Answer.allCases.map { (tracking, $0) } }
        return try pairs.enumerated().map { try Person($0, $1.0, $1.1) }
    }

    private static func messages() throws -> [StoredMessage] {
        let news = try Purpose("news")
        let purposes = [
            .tracking, MessagePurposes(clicks: .tracking, opens: .openTracking),
            MessagePurposes(clicks: news, opens: .tracking), MessagePurposes(both: news),
            MessagePurposes(both: .openTracking),
        ]
        return try purposes.enumerated().map { try .sample(UInt64($0 + 1), purposes: $1) }
    }

    private static let kinds: [InteractionKind] = [.pushLinkClicked, .messageOpened, .pushNotificationOpened]

    private static func permitted(_ people: [Person], _ rules: RecordingRules) throws -> Set<Act> {
        var acts: Set<Act> = []
        for message in try messages() {
            let linked = LinkedMessage(FollowedMessage(message), rules: rules)
            for person in people {
                for kind in kinds {
                    let policy = linked.recordingPolicy(
                        for: person.reference, of: kind.activity, expires: .distantFuture, at: .noon)
                    guard policy.verdict(at: .noon) == .record else { continue }
                    acts.insert(Act(message: message.id, recipient: person.reference, kind: kind))
                }
            }
        }
        return acts
    }

    private static func stored(_ people: [Person], _ bench: DrainTests.Bench) async throws -> Set<Act> {
        for message in try messages() { bench.messages.put(message) }
        for person in people {
            for (purpose, status) in person.statuses { bench.consent.set(person.reference, status, for: purpose) }
        }
        for message in try messages() {
            for kind in kinds {
                try await bench.spool(
                    people.map { person in
                        Occurrence(
                            kind: kind, source: .redirect, occurredAt: .noon, message: message.id,
                            recipient: person.reference, link: .message, visitor: .browserAgent)
                    })
            }
        }
        try await bench.drain.finish(within: .seconds(60))
        return Set(
            bench.interactions.stored.values.map { Act(message: $0.message, recipient: $0.recipient, kind: $0.kind) })
    }

    @Test(
        "what memory lets through is what the drain stores, whether it was told of changes or of everything",
        arguments: Enforcement.allCases, [false, true])
    func agreement(_ enforcement: Enforcement, _ isReloaded: Bool) async throws {
        let people = try Self.people()
        let bench = try DrainTests.Bench(enforcement: enforcement)
        if isReloaded {
            let policy = ConsentPolicy(enforcement: enforcement)
            var ends: [RecordingScope: [RecordingEnd]] = [:]
            for person in people {
                for (purpose, status) in person.statuses {
                    for case (let scope, let end?) in policy.recordingEnds(for: status, of: purpose) {
                        ends[scope, default: []].append(RecordingEnd(reference: person.reference, end: end))
                    }
                }
            }
            bench.rules.recordingReloaded(ends, enforcement: enforcement, in: try .acme())
        } else {
            bench.rules.recordingReloaded([:], enforcement: enforcement, in: try .acme())
            let changes = people.flatMap { person in
                person.statuses.map {
                    ConsentChange(reference: person.reference, purpose: $0.purpose, status: $0.status)
                }
            }
            bench.rules.consentChanged(changes, in: try .acme())
        }
        let permitted = try Self.permitted(people, bench.rules.rules(of: .acme()))
        let stored = try await Self.stored(people, bench)
        #expect(permitted == stored)
        // The opens of a message with one purpose: each yes, unless opens were refused.
        let noes: [Answer] = [.refused, .withdrawn, .revoked, .invalidated]
        for person in people where person.tracking == .given {
            for kind in [.messageOpened, .pushNotificationOpened] as [InteractionKind] {
                let open = Act(message: try .sample(1), recipient: person.reference, kind: kind)
                #expect(permitted.contains(open) == !noes.contains(person.openTracking), "\(person.openTracking)")
            }
        }
    }

    @Test("a list of the refused that is held already follows what is said", arguments: Enforcement.allCases)
    func changes(_ enforcement: Enforcement) throws {
        let table = RecordingRulesTable()
        let rules = table.rules(of: try .acme())
        let refused = rules.refusedOpens
        let opens = rules.revocations(for: .openTracking)
        table.recordingReloaded([:], enforcement: enforcement, in: try .acme())
        func say(_ answer: Answer, about purpose: Purpose = .openTracking) throws {
            let change = ConsentChange(reference: try .sample(), purpose: purpose, status: try answer.status())
            table.consentChanged([change], in: try .acme())
        }
        for answer in [.refused, .nothing, .withdrawn, .ended, .revoked, .given, .invalidated] as [Answer] {
            try say(answer)
            let isNo = try answer.status().endsTracking
            #expect(try refused.contains(.sample(), at: .noon) == isNo, "\(answer)")
            let ends = isNo || enforcement == .restrictive && answer != .given
            #expect(try opens.contains(.sample(), at: .noon) == ends, "\(answer)")
        }
        try say(.given)
        try say(.refused, about: .tracking)
        #expect(try !refused.contains(.sample(), at: .noon), "this purpose has a list of its own")
        // Another enforcement comes with all ends, and the one who is erased stays on the list.
        table.recordingReloaded(
            [.refusedOpens: [RecordingEnd(reference: try .sample(8), end: .distantPast)]], enforcement: .restrictive,
            in: try .acme())
        #expect(try refused.contains(.sample(8), at: .noon))
        table.recipientErased(try .sample(9), in: try .acme())
        table.recordingReloaded([:], enforcement: .nonRestrictive, in: try .acme())
        #expect(try !refused.contains(.sample(8), at: .noon) && refused.contains(.sample(9), at: .noon))
    }
}
