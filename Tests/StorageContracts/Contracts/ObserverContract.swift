import Consent
import Identifiers
import Messages
import Organizations
import TestSupport
import Testing

/// What every storage promises to the observers that it tells of changes, however many write at once.
package enum ObserverContract {
    package static let promises: [Promise] = order + moment + failure

    private static let rounds = 100

    private static let order: [Promise] = [
        Promise("of a consent and a withdrawal at once, the observer ends as the store does") { storage in
            for round in 0..<Int64(rounds) {
                let now = Timestamp.noon + round
                try await atOnce(
                    { try await storage.record(.given, for: .ana, at: now) },
                    { try await storage.record(.withdrawn, for: .ana, at: now) })
                try await storage.expectObserverAgrees(at: now)
            }
        },
        Promise("of an erasure and a record at once, the observer ends as the store does") { storage in
            for round in 0..<rounds {
                let recipient = try RecipientID("person\(round)")
                try await storage.record(.given, for: recipient)
                try await atOnce(
                    { _ = try await storage.consents.erase(recipient, in: storage.acme) },
                    { try await storage.record(.given, for: recipient) })
            }
            try await storage.expectObserverAgrees(at: .noon)
        },
        Promise("of a change of enforcement and a record at once, the observer ends as the store does") { storage in
            for round in 0..<Int64(rounds) {
                let now = Timestamp.noon + round
                let (enforcement, state) = (Enforcement.allCases[Int(round % 2)], ConsentState.allCases[Int(round % 3)])
                try await atOnce(
                    {
                        let change = OrganizationChange(enforcement: enforcement)
                        _ = try await storage.organizations.change(storage.acme, by: change, at: now)
                    },
                    {
                        let end = state == .given ? now + 60_000 : nil
                        try await storage.record(state, for: .ana, validUntil: end, at: now)
                    })
                try await storage.expectObserverAgrees(at: now)
            }
        },
        Promise("of two changes of enforcement at once, the observer ends as the store does") { storage in
            for _ in 0..<rounds {
                try await atOnce(
                    { try await storage.set(.restrictive) }, { try await storage.set(.nonRestrictive) })
                let stored = try #require(try await storage.organizations.organization(storage.acme))
                let told = RulesInMemory(storage.observer.events).enforcement(of: storage.acme)
                #expect(told == stored.enforcement)
            }
        },
    ]

    private static let moment: [Promise] = [
        Promise("of many calls at once, each has told its change by the time it returns") { storage in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<rounds {
                    group.addTask {
                        let record = try await storage.record(.refused, for: RecipientID("person\(number)"))
                        #expect(storage.observer.hasBeenTold(.inForce(record.inForce)))
                        let saved = try await storage.messages.save(
                            Message(name: "message \(number)"), in: storage.acme, at: .noon)
                        #expect(storage.observer.messages[saved.message.id] == saved.message)
                        let off = try await storage.messages.setDisabled(
                            true, message: saved.message.id, in: storage.acme)
                        #expect(storage.observer.messages[saved.message.id] == off)
                    }
                }
                try await group.waitForAll()
            }
        },
        Promise("an organization is told with its enforcement and whether it honours GPC when it is made") { storage in
            let id = try OrganizationID("initech")
            let organization = Organization(id: id, name: "Initech", enforcement: .nonRestrictive, honorsGPC: false)
            _ = storage.observer.take()
            _ = try await storage.organizations.create(organization, firstKey: StorageUnderTest.key(9), at: .noon)
            #expect(storage.observer.take() == [.reloaded([], .nonRestrictive, id)])
            #expect(storage.observer.privacyControl.last == false)
        },
    ]

    private static let failure: [Promise] = [
        Promise("a write that is refused tells nothing") { storage in
            let key = IdempotencyFingerprint(
                key: [UInt8](repeating: 1, count: 32), body: [UInt8](repeating: 2, count: 32))
            let message = try await storage.message()
            let (unknown, nobody) = (try OrganizationID("unknown"), try #require(RecipientReference(rawValue: 42)))
            _ = try await storage.append(.given, fingerprint: key)
            let before = storage.observer.notes

            await #expect(throws: IdempotencyKeyTaken.self) { try await storage.append(.withdrawn, fingerprint: key) }
            await #expect(throws: IdempotencyKeyTaken.self) {
                _ = try await storage.messages.save(Message(name: "new"), in: storage.acme, at: .noon, fingerprint: key)
            }
            await #expect(throws: (any Error).self) { try await storage.record(.given, for: .bo, in: unknown) }
            await #expect(throws: (any Error).self) { _ = try await storage.consents.erase(.bo, in: unknown) }
            await #expect(throws: (any Error).self) {
                _ = try await storage.messages.save(Message(name: "new"), in: unknown, at: .noon)
            }
            let withdrawal = try await storage.consents.withdraw(
                nobody, for: .tracking, evidence: ConsentEvidence(method: "page"), in: storage.acme, at: .noon)
            #expect(withdrawal == .noRecipient)
            #expect(
                try await storage.messages.setDisabled(true, message: message, in: storage.globex) == nil)
            let change = OrganizationChange(enforcement: .nonRestrictive, honorsGPC: false)
            #expect(try await storage.organizations.change(unknown, by: change, at: .noon) == nil)
            let taken = Organization(id: storage.acme, name: "x", enforcement: .nonRestrictive, honorsGPC: false)
            #expect(
                try await storage.organizations.create(taken, firstKey: StorageUnderTest.key(9), at: .noon) == nil)

            #expect(storage.observer.notes == before)
        },
        Promise("of many writes at once of which one has its effect, one is told") { storage in
            let key = IdempotencyFingerprint(
                key: [UInt8](repeating: 3, count: 32), body: [UInt8](repeating: 4, count: 32))
            _ = storage.observer.take()
            let done = await withTaskGroup(of: Bool.self) { group in
                for _ in 0..<20 {
                    group.addTask { (try? await storage.append(.withdrawn, fingerprint: key)) != nil }
                }
                return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
            }
            #expect(done == 1)
            #expect(storage.observer.takeChanges().count == 1)
        },
    ]

    private static func atOnce(
        _ one: @escaping @Sendable () async throws -> Void, _ other: @escaping @Sendable () async throws -> Void
    ) async throws {
        async let first: Void = one()
        async let second: Void = other()
        _ = try await (first, second)
    }
}

extension StorageUnderTest {
    fileprivate func set(_ enforcement: Enforcement) async throws {
        let change = OrganizationChange(enforcement: enforcement)
        _ = try await organizations.change(acme, by: change, at: .noon)
    }

    fileprivate func append(
        _ state: ConsentState, fingerprint: IdempotencyFingerprint
    ) async throws -> [ConsentRecord] {
        let record = try NewConsentRecord(
            recipient: .ana, purpose: .tracking, state: state, occurredAt: nil, validUntil: nil, evidence: nil,
            now: .noon)
        return try await consents.append([record], in: acme, at: .noon, fingerprint: fingerprint)
    }

    /// Memory that followed everything told so far has for every reference of Acme the end that follows from the store.
    fileprivate func expectObserverAgrees(at now: Timestamp) async throws {
        let events = observer.events
        let memory = RulesInMemory(events)
        let organization = try #require(try await organizations.organization(acme))
        let policy = ConsentPolicy(enforcement: organization.enforcement)
        #expect(memory.enforcement(of: acme) == organization.enforcement)
        for reference in Set(events.flatMap(\.references)) {
            let status = try await status(of: reference, at: now)
            let told = memory.recordingEnd(of: RulesInMemory.Subject(reference), in: acme)
            #expect(told == policy.recordingEnd(for: status))
        }
    }
}

extension RecordingObserver {
    fileprivate struct Notes: Equatable {
        let events: [Event]
        let messages: [MessageID: StoredMessage]
        let privacyControl: [Bool]
    }

    /// Everything it was told.
    fileprivate var notes: Notes { Notes(events: events, messages: messages, privacyControl: privacyControl) }

    fileprivate func hasBeenTold(_ status: ConsentStatus) -> Bool {
        events.contains { event in
            if case .changed(let changes, _) = event { changes.contains { $0.status == status } } else { false }
        }
    }
}

extension RecordingObserver.Event {
    fileprivate var references: [RecipientReference] {
        switch self {
        case .changed(let changes, _): changes.map(\.reference)
        case .erased(let reference, _): [reference]
        case .reloaded(let ends, _, _): ends.map(\.reference)
        }
    }
}
