import Consent
package import Identifiers
import Interactions
package import Reports
import TestSupport
import Testing

/// What every `ReportStore` promises of the counts of consents, and of decisions by day.
package enum ConsentReportContract {
    private static let day: Int64 = 86_400_000

    package static let promises: [Promise] = histories + words + decisions

    private static let histories: [Promise] = [
        Promise("every count of random histories is what going through all of them gives, with erasures") { storage in
            for seed in 1...4 as ClosedRange<UInt64> {
                let purpose = try Purpose("round\(seed)")
                var histories = try RandomHistories(people: 30, purpose: purpose, seed: seed)
                for _ in 0..<12 { try await histories.record(in: storage) }
                for _ in 0..<4 { try await histories.erase(in: storage) }
                for _ in 0..<3 { try await histories.record(in: storage) }
                let selection = try storage.selection(-70, 100, purpose)
                let counts = try await storage.reports.consents(selection, in: storage.acme)
                let expected = histories.counts(selection)
                #expect(counts.purposes == [purpose])
                #expect(counts.days == expected.days)
                #expect(counts.ending == expected.ending)
                #expect(counts.evidence == expected.evidence)
                // A part of the time says the same of its days.
                let part = try await storage.reports.consents(storage.selection(-20, -5, purpose), in: storage.acme)
                let days = Set(part.days.map(\.day))
                #expect(part.days == expected.days.filter { days.contains($0.day) })
                #expect(part.ending == expected.ending)
            }
        },
        Promise("of several purposes counts add up, and another organization has its own") { storage in
            let (news, shop) = (try Purpose("news"), try Purpose("shop"))
            try await storage.record(.given, for: .ana, purpose: news)
            try await storage.record(.given, for: .ana, purpose: shop)
            try await storage.record(.refused, for: .bo, purpose: shop)
            try await storage.record(.withdrawn, for: .ana, purpose: news, in: storage.globex)
            let both = try await storage.reports.consents(storage.selection(0, 1), in: storage.acme)
            #expect(both.purposes == [news, shop])
            #expect(both.days.first?.stock == [.given: 2, .refused: 1])
            let one = try await storage.reports.consents(storage.selection(0, 1, shop), in: storage.acme)
            #expect(one.days.first?.stock == [.given: 1, .refused: 1])
            let other = try await storage.reports.consents(storage.selection(0, 1), in: storage.globex)
            #expect(other.days.first?.records == [.withdrawn: 1])
            let nobody = try await storage.reports.consents(
                storage.selection(0, 1, try Purpose("other")), in: storage.acme)
            #expect(nobody.purposes.isEmpty && nobody.days.first?.stock == [:])
        },
        Promise("an erased recipient stays in the records of the day, and leaves the stock") { storage in
            try await storage.record(.given, for: .ana, occurredAt: .noon + -3 * day, validUntil: .noon + 9 * day)
            _ = try await storage.consents.erase(.ana, in: storage.acme)
            _ = try await storage.consents.erase(.ana, in: storage.acme)
            _ = try await storage.consents.erase(.bo, in: storage.acme)
            let counts = try await storage.reports.consents(storage.selection(-3, 12), in: storage.acme)
            #expect(counts.days.first?.records == [.given: 1])
            #expect(counts.days[2].stock[.given] == 1)
            #expect(counts.days[3].erased == 1)
            #expect(counts.days.dropFirst(3).allSatisfy { ($0.stock[.given] ?? 0) == 0 && $0.expired == 0 })
            #expect(counts.ending == [30: 0, 60: 0, 90: 0])
            // Who comes back is another one.
            try await storage.record(.given, for: .ana)
            let back = try await storage.reports.consents(storage.selection(0, 1), in: storage.acme)
            #expect(back.days.first?.stock[.given] == 1)
        },
    ]

    private static let words: [Promise] = [
        Promise("a method and a notice are told while ten recipients have them, and forgotten with the last one") {
            storage in
            let evidence = ConsentEvidence(method: "form", notice: .init(id: "privacy", version: "3"))
            for number in 0..<10 {
                let seen = try await storage.reports.consents(storage.selection(0, 1), in: storage.acme)
                #expect(seen.methods == .init(others: number) && seen.notices == .init(others: number))
                try await storage.record(.given, for: RecipientID("person\(number)"), evidence: evidence)
            }
            try await storage.record(.refused, for: .ana, evidence: evidence)
            try await storage.record(.given, for: .bo, evidence: ConsentEvidence(method: "rare"))
            let told = try await storage.reports.consents(storage.selection(0, 1), in: storage.acme)
            #expect(told.methods == .init([.init(value: "form", given: 10)], others: 1))
            #expect(told.notices == .init([.init(value: .init(id: "privacy", version: "3"), given: 10)], others: 0))
            #expect(told.evidence == [.methodAndNotice: 10, .methodOnly: 1])
            _ = try await storage.consents.erase(RecipientID("person0"), in: storage.acme)
            let fewer = try await storage.reports.consents(storage.selection(0, 1), in: storage.acme)
            #expect(fewer.methods == .init(others: 11) && fewer.notices == .init(others: 10))
            try await storage.record(.given, for: .bo, evidence: evidence)
            let again = try await storage.reports.consents(storage.selection(0, 1), in: storage.acme)
            #expect(again.methods == .init([.init(value: "form", given: 11)], others: 1))
            _ = try await storage.consents.erase(.bo, in: storage.acme)
            for number in 1..<10 {
                _ = try await storage.consents.erase(RecipientID("person\(number)"), in: storage.acme)
            }
            let forgotten = try await storage.reports.consents(storage.selection(0, 1), in: storage.acme)
            #expect(forgotten.methods == .init(others: 12) && forgotten.notices == .init(others: 11))
            #expect(forgotten.evidence == again.evidence)
            // Nothing is left of the text: who has it next has a new one.
            for number in 0..<10 {
                try await storage.record(.given, for: RecipientID("next\(number)"), evidence: evidence)
            }
            let next = try await storage.reports.consents(storage.selection(0, 1), in: storage.acme)
            #expect(next.methods == .init([.init(value: "form", given: 10)], others: 12))
        },
        Promise("two spellings of one text are two methods and two notices, and erasures leave neither") { storage in
            // The bytes differ, and Swift's String takes them for equal.
            let spellings = ["Jos\u{E9}", "Jose\u{301}"]
            func evidence(_ number: Int) -> ConsentEvidence {
                let text = spellings[number % 2]
                return ConsentEvidence(method: text, notice: .init(id: text, version: "1"))
            }
            func counts() async throws -> (told: [[UInt8]: Int], notices: [[UInt8]: Int], others: Int) {
                let counts = try await storage.reports.consents(storage.selection(0, 1), in: storage.acme)
                let methods = counts.methods.words.map { (Array($0.value.utf8), $0.given) }
                let notices = counts.notices.words.map { (Array(($0.value.id ?? "").utf8), $0.given) }
                #expect(counts.methods.others == counts.notices.others)
                return (Dictionary(methods) { $1 }, Dictionary(notices) { $1 }, counts.methods.others)
            }
            func record(_ names: [String]) async throws {
                let records = try names.enumerated().map { number, name in
                    try NewConsentRecord(
                        recipient: RecipientID(name), purpose: .tracking, state: .given, occurredAt: nil,
                        validUntil: nil, evidence: evidence(number), now: .noon)
                }
                _ = try await storage.consents.append(records, in: storage.acme, at: .noon, fingerprint: nil)
            }
            let each = [Array(spellings[0].utf8): 10, Array(spellings[1].utf8): 10]
            // One recipient has both.
            for number in 0..<2 { try await storage.record(.given, for: .ana, evidence: evidence(number)) }
            _ = try await storage.consents.erase(.ana, in: storage.acme)
            for round in 0..<2 {
                let names = (0..<20).map { "person\($0) of \(round)" }
                try await record(names)
                // A word that an erased recipient left would keep its number and its counts.
                let told = try await counts()
                #expect(told.told == each && told.notices == each && told.others == 2 + 20 * round)
                for name in names { _ = try await storage.consents.erase(RecipientID(name), in: storage.acme) }
                let forgotten = try await counts()
                #expect(forgotten.told.isEmpty && forgotten.notices.isEmpty && forgotten.others == 22 + 20 * round)
            }
        },
        Promise("a method that one recipient has is not told, however many records and purposes repeat it") { storage in
            let own = ConsentEvidence(method: "call with Ana", notice: .init(id: "Ana's contract", version: "1"))
            for purpose in [Purpose.tracking, try Purpose("offers")] {
                let records = try (0..<12).map { _ in
                    try NewConsentRecord(
                        recipient: .ana, purpose: purpose, state: .given, occurredAt: nil, validUntil: nil,
                        evidence: own, now: .noon)
                }
                _ = try await storage.consents.append(records, in: storage.acme, at: .noon, fingerprint: nil)
                try await storage.record(.given, for: .ana, purpose: purpose, evidence: own)
            }
            let counts = try await storage.reports.consents(storage.selection(0, 1), in: storage.acme)
            #expect(counts.methods == .init(others: 26) && counts.notices == .init(others: 26))
        },
        Promise("a method that had no place at first stays when those are erased who had it then") { storage in
            func record(_ names: [String], _ method: (Int) -> String) async throws {
                let records = try names.enumerated().map { number, name in
                    try NewConsentRecord(
                        recipient: RecipientID(name), purpose: .tracking, state: .given, occurredAt: nil,
                        validUntil: nil, evidence: ConsentEvidence(method: method(number)), now: .noon)
                }
                _ = try await storage.consents.append(records, in: storage.acme, at: .noon, fingerprint: nil)
            }
            try await record((0..<200).map { "person\($0)" }) { "method \($0)" }
            let early = (0..<12).map { "early\($0)" }
            try await record(early) { _ in "late" }
            _ = try await storage.consents.erase(RecipientID("person0"), in: storage.acme)
            try await record((0..<10).map { "late\($0)" }) { _ in "late" }
            for name in early { _ = try await storage.consents.erase(RecipientID(name), in: storage.acme) }
            let counts = try await storage.reports.consents(storage.selection(0, 1), in: storage.acme)
            #expect(counts.methods == .init([.init(value: "late", given: 10)], others: 212))
        },
        Promise("more than 200 different methods are counted together") { storage in
            for round in 0..<10 {
                let many = try (0..<230).map { number in
                    try NewConsentRecord(
                        recipient: RecipientID("person\(number) of \(round)"), purpose: .tracking, state: .given,
                        occurredAt: nil, validUntil: nil, evidence: ConsentEvidence(method: "method \(number)"),
                        now: .noon)
                }
                _ = try await storage.consents.append(many, in: storage.acme, at: .noon, fingerprint: nil)
            }
            let counts = try await storage.reports.consents(storage.selection(0, 1), in: storage.acme)
            #expect(counts.methods.words.count == 200 && counts.methods.others == 300)
        },
    ]

    private static let decisions: [Promise] = [
        Promise("decisions are counted by day and reason") { storage in
            let message = try await storage.message()
            try await storage.decide([(.ana, .consentGiven), (.bo, .noConsentRecord)], of: message)
            try await storage.decide([(.ana, .consentGiven)], of: message, at: .noon + day)
            try await storage.decide([(.ana, .consentExpired)], of: message, at: .noon + 3 * day)
            let counts = try await storage.reports.decisions(
                on: storage.selection(0, 2).time, in: storage.acme)
            let today = CalendarDay(.noon).number
            #expect(
                counts == [
                    CalendarDay(number: today): [.consentGiven: 1, .noConsentRecord: 1],
                    CalendarDay(number: today + 1): [.consentGiven: 1],
                ])
            #expect(try await storage.reports.decisions(on: storage.selection(0, 2).time, in: storage.globex).isEmpty)
        }
    ]
}

extension StorageUnderTest {
    /// Whole days, counted from that of noon.
    package func selection(
        _ first: Int64, _ end: Int64, _ purpose: Purpose? = nil
    ) throws -> ConsentReportSelection {
        let midnight = Timestamp(millisecondsSince1970: CalendarDay(.noon).number * 86_400_000)
        let time = try ReportSelection(
            from: midnight + first * 86_400_000, to: midnight + end * 86_400_000, now: .noon)
        return ConsentReportSelection(time, purpose: purpose, now: .noon)
    }
}
