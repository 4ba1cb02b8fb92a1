import Consent
import GRDB
import Identifiers
import Interactions
import Reports
import SQL
import SQLiteFiles
import StorageContracts
import TestSupport
import Testing

@testable import SQLStorage
@testable import SQLiteStorage

@Suite struct ConsentCountFillingTests {
    private static let day: Int64 = 86_400_000

    private func populate(_ ports: StorageUnderTest) async throws {
        var random = SeededGenerator(seed: 4)
        let evidence = [
            ConsentEvidence(method: "form"), ConsentEvidence(notice: .init(id: "privacy", version: "1")), nil,
        ]
        for purpose in [try Purpose("news"), try Purpose("shop")] {
            let records = try (0..<120).map { _ in
                let occurredAt = Timestamp.noon + -Int64.random(in: 0...30, using: &random) * Self.day
                let state = ConsentState.allCases.randomElement(using: &random) ?? .given
                return try NewConsentRecord(
                    recipient: RecipientID("person\(Int.random(in: 0..<40, using: &random))"), purpose: purpose,
                    state: state, occurredAt: occurredAt,
                    validUntil: state == .given ? occurredAt + 20 * Self.day : nil,
                    evidence: evidence.randomElement(using: &random) ?? nil, now: .noon)
            }
            _ = try await ports.consents.append(records, in: ports.acme, at: .noon, fingerprint: nil)
        }
        let message = try await ports.message()
        try await ports.decide([(.ana, .noConsentRecord), (.bo, .consentGiven)], of: message)
        try await ports.decide([(.ana, .noConsentRecord)], of: message, at: .noon + Self.day)
    }

    private func act(_ ports: StorageUnderTest) async throws {
        for number in [1, 20, 39] {
            _ = try await ports.consents.erase(RecipientID("person\(number)"), in: ports.acme)
        }
        for number in [1, 2, 25, 38, 50] {
            try await ports.record(.withdrawn, for: RecipientID("person\(number)"), purpose: Purpose("news"))
        }
    }

    private struct Answers: Equatable {
        let consents: ConsentCounts
        let decisions: [CalendarDay: [DecisionReason: Int]]

        init(_ ports: StorageUnderTest) async throws {
            let selection = try ports.selection(-40, 40)
            consents = try await ports.reports.consents(selection, in: ports.acme)
            decisions = try await ports.reports.decisions(on: selection.time, in: ports.acme)
        }
    }

    @Test("a file of the version before is counted when it is opened, and says what it said")
    func migration() async throws {
        try await withSQLite { fixture in
            try await populate(fixture.ports)
            let before = try await Answers(fixture.ports)
            #expect(before.consents.methods.words.count == 1 && before.decisions.count == 2)
            try await fixture.makeOld(before: Schema.consentCounts)
            let reopened = try SQLiteFixture(fixture.folder)
            #expect(try await Answers(reopened.ports) == before)
            // What comes after counts on from there.
            try await reopened.ports.record(.given, for: .bo, purpose: Purpose("news"))
            let after = try await Answers(reopened.ports)
            let today = CalendarDay(.noon)
            func given(_ answers: Answers) -> Int? { answers.consents.days.first { $0.day == today }?.stock[.given] }
            #expect((given(after) ?? 0) == (given(before) ?? 0) + 1)
            try reopened.storage.close()
        }
    }

    @Test("records of erased recipients are counted on their days, also in a file of the version before")
    func erased() async throws {
        try await withSQLite { fixture in
            try await populate(fixture.ports)
            let before = try await Answers(fixture.ports).consents.days.map(\.records)
            for number in 0..<10 {
                _ = try await fixture.ports.consents.erase(RecipientID("person\(number)"), in: fixture.ports.acme)
            }
            try await fixture.makeOld(before: Schema.consentCounts)
            let reopened = try SQLiteFixture(fixture.folder)
            #expect(try await Answers(reopened.ports).consents.days.map(\.records) == before)
            try reopened.storage.close()
        }
    }

    @Test("counting goes on where it was interrupted; who is erased and who says more meanwhile counts once")
    func interrupted() async throws {
        try await withSQLite { fixture in
            let ports = fixture.ports
            try await populate(ports)
            let database = fixture.storage.database
            try database.writeNow { db in
                for table in ["consent_counts", "evidence_words", "evidence_word_people"] {
                    try db.execute(sql: "DELETE FROM \(table)")
                }
                try db.execute(sql: "INSERT INTO consent_filling VALUES (0, 0, 0)")
                try db.execute(sql: "INSERT INTO evidence_word_filling VALUES (0, 0)")
            }
            for _ in 0..<5 { #expect(try database.writeNow { try ConsentCountFilling.step($0, recordsAtOnce: 7) }) }
            try await act(ports)
            while try database.writeNow({ try ConsentCountFilling.step($0, recordsAtOnce: 7) }) {}
            while try database.writeNow({ try EvidenceWordFilling.step($0, recordsAtOnce: 7) }) {}
            let interrupted = try await Answers(ports)

            try await withSQLite { other in
                try await populate(other.ports)
                try await act(other.ports)
                #expect(try await Answers(other.ports) == interrupted)
            }
        }
    }

    @Test("who has which word is noted of a file of the version before, also of whom is erased meanwhile")
    func words() async throws {
        try await withSQLite { fixture in
            let ports = fixture.ports
            try await populate(ports)
            let own = ConsentEvidence(method: "with Ana")
            for _ in 0..<12 { try await ports.record(.given, for: .ana, evidence: own) }
            let before = try await Answers(ports)
            try await fixture.makeOld(before: Schema.evidenceWordPeople)
            let reopened = try SQLiteFixture(fixture.folder)
            #expect(try await Answers(reopened.ports) == before)

            let database = reopened.storage.database
            try database.writeNow { db in
                try db.execute(sql: "DELETE FROM evidence_word_people")
                try db.execute(sql: "INSERT INTO evidence_word_filling VALUES (0, 0)")
            }
            #expect(try database.writeNow { try EvidenceWordFilling.step($0, recordsAtOnce: 7) })
            _ = try await reopened.ports.consents.erase(.ana, in: reopened.ports.acme)
            while try database.writeNow({ try EvidenceWordFilling.step($0, recordsAtOnce: 7) }) {}
            #expect(try await Answers(reopened.ports).consents.methods == before.consents.methods)
            let texts = try database.readNow { db in
                try db.statement("SELECT content FROM evidence_words WHERE content IS NOT NULL").all { $0.text(0) }
            }
            #expect(texts.count == 2 && !texts.contains { $0.contains("Ana") })
            try reopened.storage.close()
        }
    }

    @Test("a spelling of a word that the version before left behind an erased recipient is forgotten at the next start")
    func spellings() async throws {
        try await withSQLite { fixture in
            try await populate(fixture.ports)
            let (word, left) = ("Jos\u{E9}", "Jose\u{301}")
            try await fixture.ports.record(.given, for: .bo, evidence: ConsentEvidence(method: word))
            let before = try await Answers(fixture.ports)
            // The last one stands for an erased recipient.
            try await fixture.makeOld(
                before: Schema.evidenceWordsByBytes,
                and: """
                    INSERT INTO evidence_words (number, organization, kind, digest, content)
                        SELECT 1000, number, 1, x'00', '{"method":"\(left)"}' FROM organizations WHERE id = 'acme';
                    INSERT INTO evidence_word_people SELECT 1000, max(number) + 1 FROM recipients;
                    INSERT INTO evidence_word_people
                        SELECT w.number, 1 + (SELECT max(number) FROM recipients) FROM evidence_words w
                        WHERE w.content LIKE '%\(word)%';
                    """)
            let reopened = try SQLiteFixture(fixture.folder)
            let database = reopened.storage.database
            func texts() throws -> [[UInt8]] {
                try database.readNow { db in
                    try db.statement("SELECT content FROM evidence_words WHERE content IS NOT NULL").all { $0.text(0) }
                }.map { Array($0.utf8) }
            }
            #expect(try await Answers(reopened.ports) == before)
            #expect(try texts().contains(Array(#"{"method":"\#(word)"}"#.utf8)))
            #expect(try !texts().contains(Array(#"{"method":"\#(left)"}"#.utf8)))
            _ = try await reopened.ports.consents.erase(.bo, in: reopened.ports.acme)
            #expect(try !texts().contains(Array(#"{"method":"\#(word)"}"#.utf8)))
            try reopened.storage.close()
        }
    }
}
