import Identifiers
import Ledger
import Testing

/// An operator reads these at night: each must say which entry or row, and nobody's name.
@Suite("What is said of a ledger that does not agree with itself")
struct LedgerInconsistencyTests {
    static let findings: [(LedgerInconsistency.Finding, String)] = [
        (.missing(3...9), "entries 3 to 9 of acme are missing: the last checkpoint has them, the database does not"),
        (.changed(4), "entry 4 of acme or its hash is not the one that was entered, or its row is gone"),
        (.hashes(0...255), "the hashes of entries 0 to 255 of acme are not those that were written"),
        (
            .anotherTree(0...99),
            "one of the entries 0 to 99 of acme is not the one that was entered or its row is gone, or all entries were "
                + "exchanged: they do not agree with the last checkpoint"
        ),
        (
            .appended(57...58),
            "entries 57 to 58 of acme were appended while no service ran: the last one had signed everything when it ended"
        ),
        (.checkpoint, "the last checkpoint of acme is not signed with this ledger's key"),
        (
            .row(LedgerRowName(.decision, 0x3357_D7D9_F400_0001), entry: 7, .foreign),
            "decision 3357d7d9f4000001 (entry 7) of acme is attributed to another organization"
        ),
        (
            .row(LedgerRowName(.consent, -1), entry: nil, .withoutEntry),
            "consent record ffffffffffffffff of acme is in no entry of the ledger"
        ),
        (
            .row(LedgerRowName(.consent, 0x3357_D7D9_F300_0001), entry: nil, .index),
            "consent record 3357d7d9f3000001 of acme is not the same in its table and in an index of the database"
        ),
        (.row(LedgerRowName(.event, 12), entry: nil, .unreadable), "event 12 of acme has a value that cannot be read"),
        (
            .derived(.enforcement),
            "the enforcement of acme is not that of its last enforcement entry"
        ),
        (.derived(.settings), "a setting of acme cannot be read"),
        (.derived(.ledger), "the ledger of acme has entries and no row in the table of the ledgers"),
        (.derived(.origin), "the ledger of acme has the name of another ledger"),
        (
            .derived(.seal),
            "the newest entries of acme, or the hashes at the edge of its tree, were written into the database "
                + "without a node"
        ),
        (.derived(.runs(8)), "the runs of acme do not lead to entry 8"),
        (
            .derived(.erasures(found: 3, entered: 2)),
            "3 consent records of acme name no recipient, its erasure entries account for 2"
        ),
        (
            .derived(.closings(.decision, found: 3, entered: 2)),
            "3 decisions of acme name no recipient, its entries account for 2"
        ),
        (
            .derived(.closings(.access, found: 1, entered: 0)),
            "1 accesses of acme name no recipient, its entries account for 0"
        ),
        (
            .derived(.message("3357d7d9f4000002", .counts)),
            "message 3357d7d9f4000002 of acme has counts that are not those of its decisions"
        ),
        (
            .derived(.recipient(5)),
            "row 5 of the recipients of acme is not the one that their identifier leads to"
        ),
        (
            .derived(.message("3357d7d9f4000002", .index)),
            "message 3357d7d9f4000002 of acme is not the same in its table and in an index of the database"
        ),
        (
            .derived(.index(table: "interactions")),
            "a row of interactions that acme uses is not the same in its table and in an index of the database"
        ),
    ]

    @Test("names the entry or the row", arguments: findings)
    func words(finding: LedgerInconsistency.Finding, text: String) throws {
        #expect(LedgerInconsistency(try OrganizationID("acme"), finding).description == text)
    }
}
