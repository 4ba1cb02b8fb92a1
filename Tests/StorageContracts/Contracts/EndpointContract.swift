import Consent
import Identifiers
import Interactions
import Messages
import TestSupport
import Testing
import Webhooks

/// What every storage promises about endpoints and what is delivered to them.
package enum EndpointContract {
    package static let promises = keeping + delivering + passing + renewing + failing + restarting + permitting

    private static let keeping: [Promise] = [
        Promise("an endpoint is kept, changed and removed, and is its organization's alone") { storage in
            let made = try await make(storage, [.consentRecorded])
            #expect(made.state == .enabled && !made.includesRecipient && made.progress.failures == 0)
            #expect(try await storage.endpoints.endpoints(of: storage.acme) == [made])
            #expect(try await storage.endpoints.endpoint(made.id, in: storage.globex) == nil)
            let url = try EndpointURL("https://other.example/x")
            let other = EndpointChange(url: url, kinds: [.endpointFailing], includesRecipient: true)
            #expect(try await apply(storage, made.id, in: storage.globex, by: other) == nil)
            let changed = try #require(try await apply(storage, made.id, by: other))
            #expect((changed.url, changed.kinds, changed.includesRecipient) == (url, [.endpointFailing], true))
            #expect(try await storage.endpoints.endpoint(made.id, in: storage.acme) == changed)
            #expect(try await !storage.endpoints.remove(made.id, in: storage.globex))
            #expect(try await storage.endpoints.remove(made.id, in: storage.acme))
            #expect(try await storage.endpoints.endpoints(of: storage.acme) == [])
            #expect(try await storage.endpoints.endpoints(of: OrganizationID("nobody")) == nil)
        },
        Promise("an organization has sixteen endpoints at most") { storage in
            for _ in 0..<Endpoint.maximumCount { try await make(storage, [.consentRecorded]) }
            await #expect(throws: TooManyEndpoints.self) { try await make(storage, [.consentRecorded]) }
            _ = try await storage.endpoints.create(
                new([.consentRecorded]), secret: [1], in: storage.globex, at: .noon)
        },
        Promise("after a rotation deliveries are signed with both secrets for a day") { storage in
            let made = try await make(storage, [.consentRecorded])
            try await storage.record(.given, for: .ana)
            try await storage.record(.given, for: .bo)
            _ = try await storage.endpoints.rotate(made.id, to: [9, 9], in: storage.acme, at: .noon)
            let both = try #require(try await lease(storage).first)
            #expect(both.sealedSecrets == [[9, 9], secret])
            let later = Timestamp.noon.advanced(by: EndpointSecret.overlap)
            let report = try await storage.deliveries.report(
                .answered(status: 200, retryAfter: nil), of: both.token, milliseconds: 1, jitter: 0,
                leasingNext: true, to: relay, in: storage.acme, at: later)
            #expect(report.next?.sealedSecrets == [[9, 9]])
        },
        Promise("a second rotation within the day keeps the secret that receivers have, for one more day") { storage in
            let made = try await make(storage, [.consentRecorded])
            try await storage.record(.given, for: .ana)
            let second = Timestamp.noon.advanced(by: EndpointSecret.overlap - .milliseconds(1))
            _ = try await storage.endpoints.rotate(made.id, to: [8], in: storage.acme, at: .noon)
            let rotated = try await storage.endpoints.rotate(made.id, to: [9], in: storage.acme, at: second)
            let end = second.advanced(by: EndpointSecret.overlap)
            #expect(rotated?.formerSecretUntil == end)
            let both = try #require(try await lease(storage, at: second).first)
            #expect(both.sealedSecrets == [[9], secret])
            _ = try await storage.endpoints.rotate(made.id, to: [10], in: storage.acme, at: end)
            let later = try #require(try await lease(storage, at: end).first)
            #expect(later.sealedSecrets == [[10], [9]], "the first one's time was over")
        },
    ]

    private static let delivering: [Promise] = [
        Promise("what is committed after an endpoint was made is delivered in order, one at a time") { storage in
            try await storage.record(.given, for: .bo)
            try await make(storage, [.consentRecorded, .recipientErased])
            let message = try await storage.message()
            var records: [ConsentRecord] = []
            for state in [ConsentState.given, .withdrawn, .given] {
                records.append(try await storage.record(state, for: .ana))
                try await storage.decide([(.bo, .consentGiven)], of: message)
            }
            let erasure = try await storage.consents.erase(.ana, in: storage.acme)
            let first = try #require(try await lease(storage).first)
            #expect(try await lease(storage).isEmpty, "one is under way")
            let events = try await follow(storage, from: first)
            let expected =
                records.map { ConsentFeedItem.Content.recorded($0.erased, recipient: nil) }
                + [.erased(at: .noon, erasure)]
            #expect(events.compactMap(\.consent?.content) == expected)
            #expect(Set(events.map(\.id)).count == 4)
            #expect(try await lease(storage).isEmpty)
        },
        Promise("kinds that an endpoint does not want are passed over, however many") { storage in
            try await make(storage, [.recipientErased])
            let many = try (0..<600).map { try newRecord("many-\($0)") }
            _ = try await storage.consents.append(many, in: storage.acme, at: .noon)
            _ = try await storage.consents.erase(.ana, in: storage.acme)
            let event = try #require(try await lease(storage).first)
            #expect(event.event.kind == .recipientErased)
            #expect(try await follow(storage, from: event).count == 1)
        },
        Promise("a message that is switched off is told once, and a test to its endpoint alone") { storage in
            let one = try await make(storage, [.messageDisabled])
            let two = try await make(storage, [.endpointFailing])
            let message = try await storage.message()
            for isDisabled in [true, true, false] {
                _ = try await storage.messages.setDisabled(isDisabled, message: message, in: storage.acme)
            }
            let asked = try #require(try await storage.endpoints.test(one.id, in: storage.acme, at: .noon))
            let leased = try await lease(storage)
            #expect(leased.map(\.endpoint.id) == [one.id])
            let events = try await follow(storage, from: try #require(leased.first))
            #expect(events.map(\.content) == [.messageDisabled(message), .test])
            #expect(events.last?.id == asked.id)
            _ = try await storage.endpoints.setEnabled(false, two.id, in: storage.acme, at: .noon)
            await #expect(throws: EndpointDisabled.self) {
                _ = try await storage.endpoints.test(two.id, in: storage.acme, at: .noon)
            }
        },
        Promise("one test of an endpoint waits at a time, and a further request gets that one") { storage in
            let one = try await make(storage, [.consentRecorded])
            let two = try await make(storage, [.consentRecorded])
            let first = try #require(try await storage.endpoints.test(one.id, in: storage.acme, at: .noon))
            let other = try #require(try await storage.endpoints.test(two.id, in: storage.acme, at: .noon + 1))
            #expect(other.id != first.id)
            for _ in 0..<3 {
                #expect(try await storage.endpoints.test(one.id, in: storage.acme, at: .noon + 2) == first)
            }
            let leased = try await lease(storage, at: .noon + 3)
            #expect(Set(leased.map(\.event)) == [first, other])
            for event in leased { #expect(try await deliver(storage, event, at: .noon + 3).next == nil) }
            let next = try #require(try await storage.endpoints.test(one.id, in: storage.acme, at: .noon + 4))
            #expect(next.id != first.id)
        },
        Promise("events that are kept for one endpoint alone keep no other one from its own, however many") { storage in
            let kept = try await make(storage, [.messageDisabled])
            _ = try await storage.endpoints.setEnabled(false, kept.id, in: storage.acme, at: .noon)
            let other = try await make(storage, [.endpointFailing])
            let message = try await storage.message()
            for number in 0..<600 {
                _ = try await storage.messages.setDisabled(
                    number.isMultiple(of: 2), message: message, in: storage.acme)
            }
            let asked = try #require(try await storage.endpoints.test(other.id, in: storage.acme, at: .noon))
            #expect(try await lease(storage).map(\.event) == [asked])
            _ = try await storage.endpoints.setEnabled(true, kept.id, in: storage.acme, at: .noon)
            let first = try #require(try await lease(storage).first)
            #expect(try await follow(storage, from: first).count == 300)
        },
        Promise("of interactions the place that is available is told, once a second at most") { storage in
            let message = try await storage.message()
            try await storage.record(.given, for: .ana)
            let ana = try await storage.reference(of: .ana, message: message)
            try await storage.interactions.store([.click(1, message, ana)], at: .noon)
            try await make(storage, [.interactionsAvailable])
            #expect(try await lease(storage).isEmpty)
            try await storage.interactions.store([.click(2, message, ana), .click(3, message, ana)], at: .noon)
            let bell = try #require(try await lease(storage).first)
            let last = try #require(try await positions(storage).last)
            #expect(bell.event.content == .interactionsAvailable(last: last))
            try await storage.interactions.store([.click(4, message, ana)], at: .noon)
            let events = try await follow(storage, from: bell)
            #expect(events.count == 1)
            let waiting = try await storage.deliveries.lease(to: relay, limit: 9, in: storage.acme, at: .noon)
            #expect(waiting.events.isEmpty && waiting.nextDue == .noon + 1000)
            let again = try await lease(storage, at: .noon + 1000)
            let newest = try #require(try await positions(storage).last)
            #expect(again.map(\.event.content) == [.interactionsAvailable(last: newest)])
        },
        Promise("a lease ends by itself, and at once when its relay begins anew or the endpoint changes") { storage in
            let made = try await make(storage, [.consentRecorded])
            try await storage.record(.given, for: .ana)
            let first = try #require(try await lease(storage).first)
            let other = try #require(RelayIdentity(relay: "another-relay-000", process: "process-00000000"))
            func leased(to relay: RelayIdentity, at now: Timestamp) async throws -> LeasedEvents {
                try await storage.deliveries.lease(to: relay, limit: 9, in: storage.acme, at: now)
            }
            let refused = try await leased(to: other, at: .noon)
            #expect(refused.events.isEmpty && refused.nextDue == .noon + LeasedEvent.lifetime)
            let restarted = try process(begunAt: .noon)
            let again = try #require(try await leased(to: restarted, at: .noon).events.first)
            #expect(again.event == first.event && again.token != first.token)
            await #expect(throws: RelayIsSuperseded.self) { _ = try await deliver(storage, first) }
            let later = try #require(try await leased(to: other, at: .noon + LeasedEvent.lifetime).events.first)
            #expect(later.event == first.event)
            _ = try await replay(storage, made.id, from: nil)
            await #expect(throws: LeaseEnded.self) { _ = try await deliver(storage, later, to: other) }
        },
        Promise("a replay delivers again what stands behind a place, with the ids that it had") { storage in
            let made = try await make(storage, [.consentRecorded])
            for recipient in [try RecipientID.ana, try .bo] { try await storage.record(.given, for: recipient) }
            let events = try await follow(storage, from: try #require(try await lease(storage).first))
            #expect(events.count == 2)
            _ = try await replay(storage, made.id, from: made.position)
            #expect(try await follow(storage, from: try #require(try await lease(storage).first)) == events)
            await #expect(throws: ConsentFeedCursorError.self) {
                _ = try await replay(storage, made.id, from: .entry(999, mark: nil))
            }
        },
        Promise("an event that is on its way while a replay is asked for is not delivered a second time") { storage in
            let made = try await make(storage, [.consentRecorded])
            _ = try await storage.endpoints.test(made.id, in: storage.acme, at: .noon)
            let test = try #require(try await lease(storage).first)
            _ = try await replay(storage, made.id, from: made.position)
            try await storage.record(.given, for: .ana)
            #expect(test.event.kind == .endpointTest)
            #expect(try await follow(storage, from: test).map(\.kind) == [.endpointTest, .consentRecorded])
        },
    ]

    // MARK: Doing it

    private static let secret: [UInt8] = [1, 2, 3]
    static var relay: RelayIdentity {
        get throws { try #require(RelayIdentity(relay: "relay-of-the-tests", process: "process-00000000")) }
    }

    private static func new(_ kinds: Set<EventKind>) throws -> NewEndpoint {
        NewEndpoint(url: try EndpointURL("https://crm.example/hooks"), kinds: kinds, includesRecipient: false)
    }

    @discardableResult
    static func make(_ storage: StorageUnderTest, _ kinds: Set<EventKind>) async throws -> Endpoint {
        try #require(
            try await storage.endpoints.create(new(kinds), secret: secret, in: storage.acme, at: .noon))
    }

    static func newRecord(_ name: String) throws -> NewConsentRecord {
        try NewConsentRecord(
            recipient: RecipientID(name), purpose: .tracking, state: .given, occurredAt: nil, validUntil: nil,
            evidence: nil, now: .noon)
    }

    static func lease(_ storage: StorageUnderTest, at now: Timestamp = .noon) async throws -> [LeasedEvent] {
        try await storage.deliveries.lease(to: relay, limit: 9, in: storage.acme, at: now).events
    }

    static func deliver(
        _ storage: StorageUnderTest, _ leased: LeasedEvent,
        _ outcome: DeliveryOutcome = .answered(status: 200, retryAfter: nil), to other: RelayIdentity? = nil,
        at now: Timestamp = .noon
    ) async throws -> DeliveryReport {
        let relay = try other ?? self.relay
        return try await storage.deliveries.report(
            outcome, of: leased.token, milliseconds: 7, jitter: 0, leasingNext: true, to: relay, in: storage.acme,
            at: now)
    }

    /// Delivers an event and all that follow it.
    static func follow(
        _ storage: StorageUnderTest, from first: LeasedEvent, at now: Timestamp = .noon
    ) async throws -> [WebhookEvent] {
        var (events, next) = ([WebhookEvent](), Optional(first))
        while let leased = next {
            events.append(leased.event)
            next = try await deliver(storage, leased, at: now).next
        }
        return events
    }

    private static func positions(_ storage: StorageUnderTest) async throws -> [InteractionPosition] {
        try await storage.interactions.interactions(matching: InteractionQuery(), limit: 99, in: storage.acme)
            .map(\.position)
    }
}

extension WebhookEvent {
    var consent: ConsentFeedItem? {
        if case .consent(let item) = content { item } else { nil }
    }
}

extension ConsentRecord {
    /// As it is once its recipient was erased.
    fileprivate var erased: ConsentRecord {
        ConsentRecord(
            id: id, purpose: purpose, state: state, occurredAt: occurredAt, recordedAt: recordedAt,
            validUntil: validUntil, evidence: nil)
    }
}
