import Consent
import Identifiers
import Ledger
import LedgerSamples
import Testing

@Suite("Verifying audit exports")
struct AuditVerifierTests {
    @Test("an export that nobody touched holds, whatever its size", arguments: [0, 1, 2, 5, 256, 257, 700])
    func untouched(count: Int) throws {
        let ledger = try SampleLedger(count)
        let findings = try ledger.verify(ledger.export())
        #expect(findings.checkpoint == ledger.checkpoint.checkpoint)
        #expect(findings.counts.entries == UInt64(count))
        #expect(findings.counts.decisions == UInt64(ledger.rows.count))
        #expect(findings.counts.opened == UInt64(ledger.rows.count + min(count, 1)))
        #expect(findings.interactions == 2)
        #expect(findings.filters.areNone)
        #expect(findings.since == nil)
        #expect(findings.recomputation?.recomputed == UInt64(ledger.rows.count))
        #expect(findings.recomputation?.exceptionCount == 0)
    }

    @Test("it does not matter in which chunks it comes", arguments: [1, 7, 511, 512, 513, 4096])
    func chunks(length: Int) throws {
        let ledger = try SampleLedger(length == 1 ? 6 : 300)
        let bytes = try ledger.export()
        #expect(try ledger.verify(bytes, chunk: length) == ledger.verify(bytes))
    }

    @Test("a public field changed in the database names the entry", arguments: [4, 100, 299])
    func publicField(index: Int) throws {
        var ledger = try SampleLedger(300)
        ledger.rows[index - SampleLedger.eventCount].reason = .notOptedOut
        let fault = try #require(ledger.fault(in: ledger.export()))
        #expect(fault.entry?.index == UInt64(index))
        #expect(fault.entry?.fault == .changed)
        #expect(fault.description.contains("entry \(index) (decision 3357d7d9f5"))
    }

    @Test("a private field changed in the database names the entry")
    func privateField() throws {
        var ledger = try SampleLedger(300)
        ledger.rows[96].recipient = try RecipientID("somebody-else@example.com")
        let fault = try #require(ledger.fault(in: ledger.export()))
        #expect(fault.entry?.index == 100)
        #expect(fault.entry?.fault == .changed)
        #expect(!fault.description.contains("example.com"))
    }

    @Test("a private field changed in the export alone names the entry, for it is not what was committed to")
    func privateFieldInExport() throws {
        let ledger = try SampleLedger(300)
        var items = try ledger.items()
        var row = ledger.rows[96]
        row.recipient = try RecipientID("somebody-else@example.com")
        items[100] = items[100].opened(by: LedgerItem.Opening(salt: row.salt, fields: row.fields))
        let fault = try #require(ledger.fault(in: ledger.export(items)))
        #expect(fault.entry?.index == 100)
        #expect(fault.entry?.fault == .commitment)
        #expect(!fault.description.contains("example.com"))
    }

    @Test("salts exchanged between two rows name the first, in the database and in the export")
    func salts() throws {
        var ledger = try SampleLedger(300)
        var items = try ledger.items()
        let (one, other) = (ledger.rows[10], ledger.rows[11])
        for (place, row, salt) in [(14, one, other.salt), (15, other, one.salt)] {
            items[place] = items[place].opened(by: LedgerItem.Opening(salt: salt, fields: row.fields))
        }
        let inExport = try #require(ledger.fault(in: ledger.export(items)))
        #expect(inExport.entry?.index == 14)
        #expect(inExport.entry?.fault == .commitment)

        ledger.rows[10].salt = other.salt
        ledger.rows[11].salt = one.salt
        let inDatabase = try #require(ledger.fault(in: ledger.export()))
        #expect(inDatabase.entry?.index == 14)
        #expect(inDatabase.entry?.fault == .changed)
    }

    @Test("a row deleted is missing, whether its index is left out or what follows moves up")
    func deleted() throws {
        let ledger = try SampleLedger(300)
        var items = try ledger.items()
        items.remove(at: 57)
        #expect(try ledger.fault(in: ledger.export(items)) == .missing(57...57, of: 300))

        let moved = items.enumerated().map { $0.element.at(UInt64($0.offset)) }
        let fault = try #require(ledger.fault(in: ledger.export(moved)))
        #expect(fault.entry?.index == 57)
        #expect(fault.entry?.fault == .exchanged(with: 58))
    }

    @Test("how many are missing can be told of any number")
    func description() {
        #expect("\(AuditFault.missing(7...7, of: 9))" == "entry 7 of 9 is missing")
        let all = AuditFault.missing(0...(.max), of: .max)
        #expect("\(all)".hasPrefix("entries 0 to 18446744073709551615 of"))
    }

    @Test("the newest rows cut off are missing")
    func cut() throws {
        let ledger = try SampleLedger(300)
        let items = try Array(ledger.items().prefix(290))
        #expect(try ledger.fault(in: ledger.export(items)) == .missing(290...299, of: 300))
        #expect(try ledger.fault(in: ledger.export([])) == .missing(0...299, of: 300))
    }

    @Test("rows exchanged name the first and where it belongs; lines exchanged are out of order")
    func exchanged() throws {
        let ledger = try SampleLedger(300)
        var items = try ledger.items()
        (items[20], items[280]) = (items[280].at(20), items[20].at(280))
        let fault = try #require(ledger.fault(in: ledger.export(items)))
        #expect(fault.entry?.index == 20)
        #expect(fault.entry?.fault == .exchanged(with: 280))

        items = try ledger.items()
        items.swapAt(20, 21)
        let place = LineLocation(file: "entries/000001.ndjson", line: 22)
        #expect(try ledger.fault(in: ledger.export(items)) == .line(place, .order))
        items = try ledger.items()
        items.insert(items[20], at: 20)
        #expect(try ledger.fault(in: ledger.export(items)) == .line(place, .order))
    }

    @Test("an entry beyond the checkpoint is refused")
    func beyond() throws {
        let (ledger, larger) = (try SampleLedger(299), try SampleLedger(300))
        let place = LineLocation(file: "entries/000001.ndjson", line: 300)
        #expect(try ledger.fault(in: ledger.export(larger.items())) == .line(place, .outside))
    }

    @Test("private fields taken away are noticed, unless the ledger says that somebody was erased")
    func takenAway() throws {
        let ledger = try SampleLedger(
            300,
            endings: [
                .erasure(at: SampleLedger.instant, ErasureCounts(consents: 1, decisions: 1, interactions: 0)),
                .purge(at: SampleLedger.instant, decisions: 1, interactions: 0),
            ])
        var items = try ledger.items()
        func close(_ index: Int) { items[index] = items[index].opened(by: nil) }
        for index in [0, 50, 51] { close(index) }
        let findings = try ledger.verify(ledger.export(items))
        #expect(findings.counts.closedDecisions == 2)
        #expect(findings.counts.closedConsents == 1)
        #expect(findings.counts.opened == 294)
        #expect(findings.recomputation?.closed == 2)
        close(52)
        #expect(
            try ledger.fault(in: ledger.export(items))
                == .unexplainedErasures(found: 3, recorded: 2, what: "decisions"))
    }

    @Test("accesses without private fields need an entry that says so, and none stands there twice")
    func accesses() throws {
        func access(_ number: String) throws -> LedgerEntry {
            .access(
                id: AccessID(try TimeOrderedNumber(number)), who: .operator, what: .consents,
                commit: Commitment(InlineArray(repeating: 7)))
        }
        let first = try access("3357d7d9f4000001")
        let forgotten = LedgerEntry.accessesForgotten(at: SampleLedger.instant, accesses: 1)
        let ledger = try SampleLedger(20, endings: [first, forgotten])
        let findings = try ledger.verify(ledger.export())
        #expect(findings.counts.accesses == 1 && findings.counts.closedAccesses == 1)
        #expect(findings.counts.accessesForgotten == 1 && findings.counts.others == 0)
        let unexplained = try SampleLedger(20, endings: [first, forgotten, access("3357d7d9f4000002")])
        #expect(
            try unexplained.fault(in: unexplained.export())
                == .unexplainedErasures(found: 2, recorded: 1, what: "accesses"))
        let twice = try SampleLedger(20, endings: [first, first])
        let place = EntryLocation(index: 21, name: "access 3357d7d9f4000001")
        #expect(try twice.fault(in: twice.export()) == .entry(place, .repeated))
    }

    @Test("private fields that an erasure took cannot be put back by anybody")
    func putBack() throws {
        let erasure = LedgerEntry.erasure(
            at: SampleLedger.instant, ErasureCounts(consents: 0, decisions: 1, interactions: 0))
        let ledger = try SampleLedger(300, endings: [erasure])
        let place = EntryLocation(index: 300, name: "erasure")
        #expect(
            try ledger.fault(in: ledger.export())
                == .restoredFields(place, recorded: 1, what: "decisions"))
    }

    @Test("a decision that is not what follows from the entries before it is an exception")
    func exceptions() throws {
        var ledger = try SampleLedger(300)
        for row in [20, 30] { ledger.rows[row].reason = .notOptedOut }
        ledger = try ledger.entered()
        let findings = try ledger.verify(ledger.export())
        let made = try #require(findings.recomputation)
        #expect(made.exceptions.map(\.index) == [24, 34])
        let expected = DecisionException.Judgement(.restrictive, .noConsentRecord, nil)
        #expect(made.exceptions.allSatisfy { $0.expected == .judgement(expected) })
        #expect(made.recomputed == 294)
    }

    @Test("private fields of an entry that commits to none are refused")
    func needless() throws {
        let ledger = try SampleLedger(10)
        var items = try ledger.items()
        items[3] = items[3].opened(by: items[4].opening)
        let fault = try #require(ledger.fault(in: ledger.export(items)))
        #expect(fault.entry?.fault == .needlessOpening)
    }

    /// The hashes of the last entries are made of their rows for each export, and so are changed with them.
    @Test("where the last hashes were made of changed rows, what is missing is named, or among which it is")
    func unfinishedTile() throws {
        let ledger = try SampleLedger(300)
        var tiles = AuditTiles.whole(inTreeOf: 300).compactMap { ledger.tree.tiles[$0] }
        let place = try #require(tiles.firstIndex { $0.id == TileID(level: 0, index: 1) })
        // The last row was changed, and the entry and its hash with it.
        var changed = ledger
        changed.rows[295].reason = .notOptedOut
        var hasher = TreeHasher()
        let leaf = try hasher.leaf(changed.items()[299].entry)
        tiles[place] = Tile(tiles[place].id, tiles[place].hashes.dropLast() + [leaf])
        #expect(try ledger.fault(in: changed.export(tiles: tiles)) == .root(last: 256...299))
        let cut = try Array(ledger.items().dropLast())
        tiles[place] = Tile(tiles[place].id, tiles[place].hashes.dropLast() + [tiles[place].hashes[0].changed()])
        #expect(try ledger.fault(in: ledger.export(cut, tiles: tiles)) == .missing(299...299, of: 300))
        var items = try ledger.items()
        items.remove(at: 57)
        let moved = items.enumerated().map { $0.element.at(UInt64($0.offset)) }
        let fault = try #require(ledger.fault(in: ledger.export(moved, tiles: tiles)))
        guard case .unproved(let entry, .exchanged(with: 58)) = fault else {
            Issue.record("\(fault)")
            return
        }
        #expect(entry.index == 57)
    }
}
