import Consent
import Identifiers
import Interactions
import Ledger
import Organizations
import TestSupport
import Testing

/// What every `LedgerChecking` promises. What a pass finds in rows that were changed behind a storage's back, its own
/// tests have.
package enum LedgerCheckingContract {
    package static let promises: [Promise] = [
        Promise("a pass over what the storage wrote comes to an end, reads every entry and finds nothing") { storage in
            try await storage.fillLedgers()
            let first = try await storage.pass()
            #expect(first.findings == [])
            // Those about a row; the others are read in phases of their own.
            #expect(first.entries >= 1400)
            #expect(storage.ledgers.inconsistencies.isEmpty)
            let reopened = try storage.reopen()
            let second = try await reopened.pass()
            #expect(second.findings == [])
            #expect(second.entries == first.entries)
        },
        Promise("the entries of all ledgers are counted") { storage in
            #expect(try await storage.ledgers.entryCount() == 2)
            try await storage.fillLedgers()
            let sizes = try await storage.ledgerSizes()
            #expect(try await storage.ledgers.entryCount() == sizes.reduce(0, +))
        },
        Promise("rows are counted as far as is asked, those without entries too") { storage in
            let none = try await storage.ledgers.rowCounts(upTo: 9)
            #expect(none.withoutEntries == 0)
            try await storage.fillLedgers()
            let (cy, message) = (try RecipientID("cy@example.com"), try await storage.message())
            let reference = try await storage.reference(of: cy, message: message)
            try await storage.interactions.store((1...5).map { .click($0, message, reference) }, at: .noon)
            let few = try await storage.ledgers.rowCounts(upTo: 3)
            let all = try await storage.ledgers.rowCounts(upTo: 1_000_000)
            #expect(few.ofOneTable == 3)
            #expect(all.ofOneTable >= 1_400)
            // An engine that checks its own indexes has none to read.
            #expect([0, 3].contains(few.withoutEntries) && [0, 5].contains(all.withoutEntries))
        },
        Promise("a pass can be left and gone on with at every step, by another process too, while entries are appended")
        {
            storage in
            try await storage.fillLedgers()
            var storage = storage
            var (position, steps) = (LedgerCheckPosition?.some(.start), 0)
            while let next = position {
                let step = try await storage.ledgers.check(from: next)
                #expect(step.finding == nil)
                try await storage.ledgers.keep(step.next)
                if steps.isMultiple(of: 5) { storage = try storage.reopen() }
                position = try await storage.ledgers.checkPosition()
                try #require(position == step.next)
                try await storage.record(.given, for: RecipientID("late\(steps)"))
                steps += 1
            }
            #expect(steps > LedgerCheckPosition.Phase.allCases.count)
        },
        Promise("people who are decided about one by one while a pass goes on are no finding") { storage in
            let message = try await storage.message()
            try await storage.decide(600)
            var position = LedgerCheckPosition?.some(.start)
            while let next = position {
                let step = try await storage.ledgers.check(from: next)
                #expect(step.finding == nil)
                try await storage.decide([(.ana, .noConsentRecord)], of: message)
                position = step.next
            }
        },
        Promise("a check goes on behind a run that has become longer, and behind one that another follows") { storage in
            let message = try await storage.message()
            try await storage.decide(600)
            let end = Int64(try await storage.treeHead().size)
            let last = try #require(try await storage.decide([(.ana, .noConsentRecord)], of: message).first)
            let positions = [
                LedgerCheckPosition(phase: .decisions, organization: try await storage.firstChecked(), next: end),
                LedgerCheckPosition(phase: .decisions, organization: try await storage.firstChecked(), next: end + 1),
                LedgerCheckPosition(
                    phase: .strays, organization: 1, next: Int64(last.id.rawValue)),
            ]
            // The run takes one of them, another all others.
            for count in [1, 600] {
                try await storage.decide(count)
                for position in positions { #expect(try await storage.ledgers.check(from: position).finding == nil) }
            }
        },
        Promise("a step that ends with the last run goes on behind it, though it has become longer meanwhile") {
            storage in
            let other = try await storage.message(in: storage.globex)
            let own = try await storage.message()
            // As many runs as a step reads, with that of the first event.
            for _ in 1..<256 {
                try await storage.decide([(.ana, .noConsentRecord)], of: other, in: storage.globex)
                try await storage.decide([(.ana, .noConsentRecord)], of: own)
            }
            let start = LedgerCheckPosition(phase: .decisions, organization: 0, next: 0)
            let end = try #require(try await storage.ledgers.check(from: start).next)
            #expect(end.phase == .decisions && end.next == 256)
            try await storage.decide([(.ana, .noConsentRecord)], of: own)
            let step = try await storage.ledgers.check(from: end)
            #expect(step.finding == nil)
            // The step also takes the first runs of the other organization.
            #expect(step.entries == 2 + 255)
            #expect(step.next == LedgerCheckPosition(phase: .decisions, organization: end.organization + 1, next: 256))
        },
        Promise("where a check stands is nowhere at first, what was kept last, and nowhere again") { storage in
            #expect(try await storage.ledgers.checkPosition() == nil)
            for phase in LedgerCheckPosition.Phase.allCases {
                let position = LedgerCheckPosition(phase: phase, organization: 7, next: .max)
                try await storage.ledgers.keep(position)
                #expect(try await storage.ledgers.checkPosition() == position)
            }
            try await storage.ledgers.keep(nil)
            #expect(try await storage.ledgers.checkPosition() == nil)
        },
        Promise("a ledger that is closed already is passed over, the others are not") { storage in
            try await storage.fillLedgers()
            let all = try await storage.pass().entries
            storage.ledgers.close(because: LedgerInconsistency(storage.acme, .checkpoint))
            let pass = try await storage.pass()
            #expect(pass.findings == [])
            #expect(pass.entries < all)
            #expect(pass.entries > 0)
        },
    ]
}

extension StorageUnderTest {
    struct Pass {
        var findings: [LedgerInconsistency] = []
        var entries = 0
    }

    /// The number of the organization that a pass comes to first.
    fileprivate func firstChecked() async throws -> Int64 {
        var position = LedgerCheckPosition.start
        while position.phase != .decisions { position = try #require(try await ledgers.check(from: position).next) }
        return try #require(try await ledgers.check(from: position).next).organization - 1
    }

    /// Everything that one pass over all ledgers finds.
    func pass() async throws -> Pass {
        var pass = Pass()
        var position: LedgerCheckPosition? = .start
        while let next = position {
            let step = try await ledgers.check(from: next)
            if let finding = step.finding { pass.findings.append(finding) }
            pass.entries += step.entries
            position = step.next
        }
        return pass
    }

    /// Entries of every kind, in both ledgers.
    fileprivate func fillLedgers() async throws {
        let messages = [(acme, try await message()), (globex, try await message(in: globex))]
        let people = try (0..<700).map { try RecipientID("person\($0)") }
        for (organization, message) in messages {
            try await decide(people.map { ($0, .noConsentRecord) }, of: message, in: organization)
            for person in people.prefix(20) {
                try await record(.given, for: person, in: organization)
                try await decide([(person, .consentGiven)], of: message, in: organization)
            }
            _ = try await consents.erase(people[3], in: organization)
            _ = try await consents.erase(.ana, in: organization)
            try await record(.given, for: people[3], in: organization)
        }
        for person in people.prefix(6) { try await look(.operator, of: person, at: .decisions, "an audit") }
        _ = try await consents.erase(people[4], in: acme)
        let changes = [(Enforcement.nonRestrictive, 5), (.restrictive, 9)] as [(Enforcement, Int64)]
        for (enforcement, later) in changes {
            _ = try await organizations.change(
                acme, by: OrganizationChange(enforcement: enforcement), at: .noon + later)
        }
    }
}
