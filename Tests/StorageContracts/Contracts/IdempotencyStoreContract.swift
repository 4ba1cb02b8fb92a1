import Consent
import Identifiers
import Messages
import StoragePorts
import TestSupport
import Testing

/// What every `IdempotencyStore` promises, together with the stores whose writes enter requests.
package enum IdempotencyStoreContract {
    private static let day: Int64 = 86_400_000

    package static let promises: [Promise] = [
        Promise("a request is entered with the records that it made") { storage in
            let (fingerprint, people) = (fingerprint(1), try [RecipientID.ana, .bo])
            let stored = try await storage.append(people, fingerprint: fingerprint)
            let effect = RequestEffect(
                first: try #require(stored.first).id.number, last: try #require(stored.last).id.number, isNew: true)
            let kept = IdempotencyRecord(fingerprint: fingerprint, effect: effect)
            #expect(try await storage.requests.request(under: fingerprint.key) == kept)
            let found = try await storage.consents.records(
                from: ConsentRecordID(effect.first), through: ConsentRecordID(effect.last), in: storage.acme)
            #expect(found == stored)
        },
        Promise("a second request of the same key has no effect, whatever its body is") { storage in
            _ = try await storage.append([.ana], fingerprint: fingerprint(1))
            for other in [fingerprint(1), fingerprint(1, body: 9)] {
                await #expect(throws: IdempotencyKeyTaken.self) {
                    _ = try await storage.append([.bo], fingerprint: other)
                }
                await #expect(throws: IdempotencyKeyTaken.self) {
                    _ = try await storage.decide([.bo], fingerprint: other)
                }
                await #expect(throws: IdempotencyKeyTaken.self) {
                    _ = try await storage.save("other", fingerprint: other)
                }
            }
            #expect(try await storage.consents.history(of: .bo, in: storage.acme).isEmpty)
            #expect(try await storage.decisions.decisions(matching: .init(), limit: 9, in: storage.acme).isEmpty)
            #expect(try await storage.save("other").isNew)
        },
        Promise("of many at once one has its effect") { storage in
            let done = await withTaskGroup(of: Bool.self) { group in
                for _ in 0..<20 {
                    group.addTask { (try? await storage.append([.ana], fingerprint: fingerprint(1))) != nil }
                }
                return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
            }
            #expect(done == 1)
            let history = try await storage.consents.history(of: .ana, in: storage.acme)
            #expect(history.count == 1)
        },
        Promise("a request that failed is not entered") { storage in
            let (message, before) = (try await storage.message(), try await storage.basis())
            _ = try await storage.consents.erase(.ana, in: storage.acme)
            await #expect(throws: StaleSnapshot.self) {
                _ = try await storage.decisions.append(
                    [Decision(recipient: .bo, verdict: ConsentVerdict(reason: .noConsentRecord))], of: message,
                    in: storage.acme, asOf: before, at: .noon, fingerprint: fingerprint(1))
            }
            #expect(try await storage.requests.request(under: fingerprint(1).key) == nil)
        },
        Promise("a message that was there already is told from one that was made") { storage in
            let made = try await storage.save("spring", fingerprint: fingerprint(1))
            let found = try await storage.save("spring", fingerprint: fingerprint(2))
            let id = made.message.id.number
            #expect(found.message.id == made.message.id)
            for (fingerprint, isNew) in [(fingerprint(1), true), (fingerprint(2), false)] {
                let effect = RequestEffect(first: id, last: id, isNew: isNew)
                #expect(try await storage.requests.request(under: fingerprint.key)?.effect == effect)
            }
        },
        Promise("decisions are found again, and permit nothing about a recipient who was erased since") { storage in
            let stored = try await storage.decide([.ana, .bo], reason: .consentGiven, fingerprint: fingerprint(1))
            let effect = try #require(try await storage.requests.request(under: fingerprint(1).key)).effect
            let (first, last) = (DecisionID(effect.first), DecisionID(effect.last))
            #expect(try await storage.decisions.decisions(from: first, through: last, in: storage.acme) == stored)
            #expect(try await storage.decisions.decisions(from: first, through: last, in: storage.globex).isEmpty)
            _ = try await storage.consents.erase(.ana, in: storage.acme)
            let again = try await storage.decisions.decisions(from: first, through: last, in: storage.acme)
            #expect(again.map(\.id) == stored.map(\.id))
            #expect(again.map(\.reason) == stored.map(\.reason))
            #expect(again.map(\.permit) == [.untracked, stored[1].permit])
        },
        Promise("a request is known until it is deleted, whatever the clock shows; its key can then be used again") {
            storage in
            _ = try await storage.append([.ana], fingerprint: fingerprint(1))
            for days in [1, 1000] as [Int64] {
                await #expect(throws: IdempotencyKeyTaken.self) {
                    _ = try await storage.append([.bo], fingerprint: fingerprint(1), at: .noon + days * day)
                }
            }
            #expect(try await storage.requests.request(under: fingerprint(1).key) != nil)
            #expect(try await storage.forgetRequests(madeUntil: .noon, limit: 9) == 1)
            #expect(try await storage.requests.request(under: fingerprint(1).key) == nil)
            let stored = try await storage.append([.bo], fingerprint: fingerprint(1, body: 2), at: .noon + day)
            let kept = try await storage.requests.request(under: fingerprint(1).key)
            #expect(kept?.fingerprint == fingerprint(1, body: 2))
            #expect(kept?.effect.first == stored.first?.id.number)
        },
        Promise("requests are deleted in steps, the oldest first, and younger ones stay") { storage in
            for (number, hours) in [(1, 3), (2, 1), (3, 2), (4, 9)] as [(UInt8, Int64)] {
                _ = try await storage.append(
                    [.ana], fingerprint: fingerprint(number), at: .noon + hours * day / 24)
            }
            let end = Timestamp.noon + 4 * day / 24
            #expect(try await storage.forgetRequests(madeUntil: end, limit: 2) == 2)
            #expect(try await storage.requests.request(under: fingerprint(1).key) != nil)
            #expect(try await storage.forgetRequests(madeUntil: end, limit: 2) == 1)
            #expect(try await storage.forgetRequests(madeUntil: end, limit: 2) == 0)
            for (number, isKept) in [(1, false), (2, false), (3, false), (4, true)] as [(UInt8, Bool)] {
                let found = try await storage.requests.request(under: fingerprint(number).key)
                #expect((found != nil) == isKept, "\(number)")
            }
        },
    ]

    private static func fingerprint(_ key: UInt8, body: UInt8 = 1) -> IdempotencyFingerprint {
        IdempotencyFingerprint(key: [UInt8](repeating: key, count: 32), body: [UInt8](repeating: body, count: 32))
    }
}

extension StorageUnderTest {
    fileprivate func append(
        _ people: [RecipientID], fingerprint: IdempotencyFingerprint, at now: Timestamp = .noon
    ) async throws -> [ConsentRecord] {
        let records = try people.map {
            try NewConsentRecord(
                recipient: $0, purpose: .tracking, state: .given, occurredAt: nil, validUntil: nil, evidence: nil,
                now: now)
        }
        return try await consents.append(records, in: acme, at: now, fingerprint: fingerprint)
    }

    fileprivate func decide(
        _ people: [RecipientID], reason: DecisionReason = .noConsentRecord, fingerprint: IdempotencyFingerprint
    ) async throws -> [RecordedDecision] {
        try await decisions.append(
            people.map { Decision(recipient: $0, verdict: ConsentVerdict(reason: reason)) }, of: message("decided"),
            in: acme, asOf: basis(), at: .noon, fingerprint: fingerprint)
    }

    fileprivate func save(
        _ name: String, fingerprint: IdempotencyFingerprint? = nil
    ) async throws -> (message: StoredMessage, isNew: Bool) {
        try await messages.save(Message(name: name), in: acme, at: .noon, fingerprint: fingerprint)
    }
}
