import SQL
import Testing

@Suite struct SQLDialectTests {
    private let sqlite = SQLDialect(.sqlite)
    private let postgres = SQLDialect(.postgres)

    @Test("the greatest and the least of several values have a name of their own in each engine")
    func extremes() {
        #expect(sqlite.greatest("0", sqlite.least("n", "7")) == "max(0, min(n, 7))")
        #expect(postgres.greatest("0", postgres.least("n", "7")) == "greatest(0, least(n, 7))")
    }

    @Test("a range of a table is joined in the written order of the tables")
    func ranges() {
        func join(_ dialect: SQLDialect) -> String {
            dialect.joinRange(of: "events", as: "e", where: "number BETWEEN r.first AND r.last")
        }
        #expect(join(sqlite) == "CROSS JOIN events e ON number BETWEEN r.first AND r.last")
        #expect(
            join(postgres)
                == "CROSS JOIN LATERAL (SELECT * FROM events WHERE number BETWEEN r.first AND r.last OFFSET 0) e")
    }

    @Test("the condition that bytes have a text in them is that of the index of each engine")
    func containing() {
        let text = #""type":"erasure""#
        #expect(sqlite.bytes("entry", contain: text) == #"instr(entry, CAST('"type":"erasure"' AS BLOB)) > 0"#)
        #expect(postgres.bytes("entry", contain: text) == #"position('"type":"erasure"'::bytea IN entry) > 0"#)
    }
}
