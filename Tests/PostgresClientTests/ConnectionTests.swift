import PostgresServer
import SQL
import Testing

@testable import PostgresClient

@Suite struct ConnectionTests {
    private func withConnection(_ body: (PostgresConnection) throws -> Void) throws {
        let connection = try PostgresConnection(PostgresServer.shared.makeDatabase(), password: nil)
        try connection.run(
            script: """
                CREATE TABLE t (n bigint PRIMARY KEY, small smallint, number int, flag boolean, words text, raw bytea);
                """)
        try body(connection)
        connection.close()
    }

    @Test("values of every type come back, in columns of other widths, and NULL as NULL")
    func types() throws {
        try withConnection { db in
            let insert = try db.statement("INSERT INTO t (n, small, number, words, raw) VALUES (?, ?, ?, ?, ?)")
            try insert.run(Int64.max, 7, -3, "Grüße, 👋 'x' \\", [0, 255, 1] as [UInt8])
            try insert.run(1, nil as Int64?, nil as Int64?, nil as String?, nil as [UInt8]?)
            try insert.run(2, 1, 1, "", [] as [UInt8])
            let rows = try db.statement("SELECT n, small, number, words, raw FROM t ORDER BY n").all { row in
                (
                    row.integer(0), row.optionalInteger(1), row.optionalInteger(2), row.optionalText(3), row.isNull(4),
                    row.bytes(4)
                )
            }
            #expect(rows[0] == (1, nil, nil, nil, true, []))
            #expect(rows[1] == (2, 1, 1, "", false, []))
            #expect(rows[2] == (Int64.max, 7, -3, "Grüße, 👋 'x' \\", false, [0, 255, 1]))
            #expect(try db.statement("SELECT 1 = ?").first(1) { $0.bool(0) } == true)
        }
    }

    @Test("lists take the place of one value, empty and long ones too")
    func lists() throws {
        try withConnection { db in
            let insert = try db.statement("INSERT INTO t (n, raw) VALUES (?, ?)")
            for n in 0..<5_000 { try insert.run(n, [UInt8(n & 255)]) }
            let count = try db.statement("SELECT count(*) FROM t WHERE n = ANY(?)")
            #expect(try count.first(IntegerList([])) { $0.integer(0) } == 0)
            #expect(try count.first(IntegerList([-1, 0, 4_999, 5_000])) { $0.integer(0) } == 2)
            #expect(try count.first(IntegerList(Array(0..<100_000))) { $0.integer(0) } == 5_000)
            let raw = try db.statement("SELECT count(*) FROM t WHERE raw = ANY(?)")
            #expect(try raw.first(ByteStringList([[7], [], [7, 7]])) { $0.integer(0) } == 20)
        }
    }

    @Test("rows for one statement are all there, with every type and NULL, however many and however long")
    func rowInsert() throws {
        try withConnection { db in
            let insert = try db.rows("INSERT INTO t (n, small, words, raw) VALUES (?, ?, ?, ?)")
            try insert.finish()
            #expect(try db.statement("SELECT count(*) FROM t").first { $0.integer(0) } == 0)
            try db.begin()
            let long = String(repeating: "é", count: 200_000)
            try insert.add(-1, nil as Int64?, long, nil as [UInt8]?)
            try insert.add(-2, 5, nil as String?, [0, 255] as [UInt8])
            try insert.add(-3, 6, "{\"a,b\" NULL}", [] as [UInt8])
            for n in 0..<20_000 { try insert.add(n, n & 255, "word \(n)", [UInt8(n & 255)]) }
            try insert.finish()
            try db.commit()
            let rows = try db.statement("SELECT n, small, words, raw, raw IS NULL FROM t WHERE n < 0 ORDER BY n")
                .all { ($0.integer(0), $0.optionalInteger(1), $0.optionalText(2), $0.bytes(3), $0.bool(4)) }
            #expect(rows[0] == (-3, 6, "{\"a,b\" NULL}", [], false))
            #expect(rows[1] == (-2, 5, nil, [0, 255], false))
            #expect(rows[2] == (-1, nil, long, [], true))
            let whole = try db.statement(
                "SELECT count(*) FROM t WHERE n >= 0 AND words = 'word ' || n AND small = n & 255 AND get_byte(raw, 0) = small"
            )
            #expect(try whole.first { $0.integer(0) } == 20_000)
        }
    }

    @Test("a row that is refused refuses those beside it, and the statement takes rows again after a rollback")
    func refusedRow() throws {
        try withConnection { db in
            try db.begin()
            let insert = try db.rows("INSERT INTO t (n) VALUES (?)")
            for n in [1, 2, 1] { try insert.add(n) }
            try insert.finish()
            #expect(throws: PostgresError.self) { try db.commit() }
            db.rollBack()
            let passing = try db.rows("INSERT INTO t (n) VALUES (?) ON CONFLICT DO NOTHING")
            for n in [1, 2, 1] { try passing.add(n) }
            try passing.finish()
            #expect(try db.statement("SELECT count(*) FROM t").first { $0.integer(0) } == 2)
            #expect(throws: PostgresError.self) {
                let mixed = try db.rows("INSERT INTO t (n, words) VALUES (?, ?)")
                try mixed.add(3, "a")
                try mixed.add("4", "a")
            }
        }
    }

    @Test("rows are visited while other statements run, in one piece and in parts")
    func nested() throws {
        try withConnection { db in
            let insert = try db.statement("INSERT INTO t (n) VALUES (?)")
            for n in 0..<10_000 { try insert.run(n) }
            for isLong in [false, true] {
                try db.begin(.snapshot)
                var sum: Int64 = 0
                try
                    (isLong
                    ? db.longStatement("SELECT n FROM t ORDER BY n") : db.statement("SELECT n FROM t ORDER BY n"))
                    .forEach { row in
                        let n = row.integer(0)
                        if n.isMultiple(of: 1_000) {
                            sum += try db.statement("SELECT n FROM t WHERE n = ?").first(n) { $0.integer(0) } ?? 0
                        }
                        return true
                    }
                #expect(sum == 45_000)
                db.rollBack()
            }
        }
    }

    @Test("an error of a statement that nobody waited for comes with the next answer, and the connection goes on")
    func lateErrors() throws {
        try withConnection { db in
            try db.statement("INSERT INTO t (n) VALUES (?)").run(1)
            try db.begin()
            try db.statement("INSERT INTO t (n) VALUES (?)").run(2)
            try db.statement("INSERT INTO t (n) VALUES (?)").run(1)
            try db.statement("INSERT INTO t (n) VALUES (?)").run(3)
            let error = #expect(throws: PostgresError.self) { try db.commit() }
            #expect(error?.reason == .server(SQLState(code: "23505"), object: "t_pkey"))
            #expect(db.isUsable)
            db.rollBack()
            #expect(try db.statement("SELECT count(*) FROM t").first { $0.integer(0) } == 1)
        }
    }

    @Test("the commit of a transaction that has failed is an error, even where the failure was passed over")
    func failedCommit() throws {
        try withConnection { db in
            try db.statement("INSERT INTO t (n) VALUES (?)").run(1)
            try db.begin()
            #expect(throws: PostgresError.self) { try db.statement("INSERT INTO t (n) VALUES (?)").changes(1) }
            let error = #expect(throws: PostgresError.self) { try db.commit() }
            #expect(error?.reason == .server(SQLState(code: "25P02"), object: nil))
            db.rollBack()
            try db.begin()
            try db.statement("INSERT INTO t (n) VALUES (?)").run(2)
            try db.commit()
            #expect(try db.statement("SELECT count(*) FROM t").first { $0.integer(0) } == 2)
        }
    }

    @Test("a warning that is not about the wait for a standby leaves a commit as it is")
    func otherWarning() throws {
        try withConnection { db in
            try db.begin()
            try db.statement("INSERT INTO t (n) VALUES (?)").run(1)
            try db.statement("DO 'BEGIN RAISE WARNING ''transaction ids run out''; END'").run()
            try db.commit()
            #expect(db.isUsable)
            #expect(try db.statement("SELECT count(*) FROM t").first { $0.integer(0) } == 1)
        }
    }

    @Test("more than a socket takes at once is sent without waiting for each other")
    func longPipeline() throws {
        try withConnection { db in
            try db.begin()
            let insert = try db.statement("INSERT INTO t (n, raw) VALUES (?, ?) RETURNING n, raw")
            let raw = [UInt8](repeating: 7, count: 10_000)
            for n in 0..<3_000 { try insert.run(n, raw) }
            try db.commit()
            #expect(try db.statement("SELECT count(*) FROM t").first { $0.integer(0) } == 3_000)
        }
    }

    @Test("a statement with too few or too many values is refused and sends nothing")
    func values() throws {
        try withConnection { db in
            let insert = try db.statement("INSERT INTO t (n, small) VALUES (?, ?)")
            #expect(throws: PostgresError(.values)) { try insert.run(1) }
            #expect(throws: PostgresError(.values)) { try insert.run(1, 2, 3) }
            try insert.run(1, 2)
            #expect(try db.statement("SELECT count(*) FROM t").first { $0.integer(0) } == 1)
        }
    }

    @Test("no error has a value or a statement in it")
    func discreet() throws {
        try withConnection { db in
            let insert = try db.statement("INSERT INTO t (n, words) VALUES (?, ?)")
            for bad in ["harbour\u{0}street", "harbour street"] {
                do {
                    try insert.run(1, bad)
                    try insert.run(1, bad)
                    try db.waitForAnswers()
                    Issue.record("nothing was refused")
                } catch {
                    #expect(!"\(error)".contains("harbour") && !"\(error)".contains("INSERT"), "\(error)")
                }
            }
        }
    }

    @Test("a connection that the server ended is of no more use, and says so")
    func ended() throws {
        try withConnection { db in
            let pid = try db.statement("SELECT pg_backend_pid()").first { $0.integer(0) } ?? 0
            let other = try PostgresConnection(PostgresServer.shared.makeDatabase(), password: nil)
            #expect(try other.statement("SELECT pg_terminate_backend(?::int)").first(pid) { $0.bool(0) } == true)
            let error = #expect(throws: PostgresError.self) {
                try db.statement("SELECT 1").first { $0.integer(0) }
            }
            #expect(error?.isRetryable == true)
            #expect(!db.isUsable)
            other.close()
        }
    }

    @Test("who listens is woken, once for all that came, and learns that the connection was lost")
    func notifications() throws {
        let location = try PostgresServer.shared.makeDatabase()
        let listener = try PostgresConnection(location, password: nil)
        let writer = try PostgresConnection(location, password: nil)
        try listener.run(script: "LISTEN rules")
        #expect(try !listener.waitForNotification(within: .milliseconds(20)))
        for _ in 0..<3 { try writer.run(script: "NOTIFY rules; NOTIFY others") }
        #expect(try listener.waitForNotification(within: .seconds(10)))
        // It has still all its statements.
        #expect(try listener.statement("SELECT 41 + ?").first(1) { $0.integer(0) } == 42)
        let pid = try listener.statement("SELECT pg_backend_pid()").first { $0.integer(0) } ?? 0
        _ = try writer.statement("SELECT pg_terminate_backend(?::int)").first(pid) { $0.bool(0) }
        #expect(throws: PostgresError.self) {
            for _ in 0..<100 { _ = try listener.waitForNotification(within: .milliseconds(100)) }
        }
        listener.close()
        writer.close()
    }

    @Test("a task that is cancelled leaves at once, and the next one gets a new connection")
    func cancelled() async throws {
        let settings = PostgresSettings(
            location: try PostgresServer.shared.makeDatabase(), password: nil, durability: .local)
        let pool = PostgresPool(settings, connections: 1)
        let slow = Task {
            try await pool.run { db in try db.statement("SELECT pg_sleep(60)").first { _ in true } }
        }
        try await Task.sleep(for: .milliseconds(300))
        slow.cancel()
        await #expect(throws: (any Error).self) { try await slow.value }
        let answer = try await pool.run { db in try db.statement("SELECT 41 + ?").first(1) { $0.integer(0) } }
        #expect(answer == 42)
        pool.close()
    }

    @Test("who cannot connect learns why, and reads no secret")
    func refused() throws {
        let server = try PostgresServer.shared.makeDatabase()
        let folder = server.hosts[0].name
        let missing = try PostgresLocation("postgres://test@/nothing_here?host=\(folder)")
        let error = #expect(throws: PostgresError.self) { _ = try PostgresConnection(missing, password: "s3cret") }
        #expect("\(error as Any)".contains("nothing_here"))
        #expect(!"\(error as Any)".contains("s3cret"))
        let nobody = try PostgresLocation("postgres://test@127.0.0.1:1/x")
        #expect(throws: PostgresError.self) { _ = try PostgresConnection(nobody, password: nil) }
    }
}

@Suite struct TranslatedSQLTests {
    @Test(
        "places are numbered as SQLite numbers them, and what is quoted stays",
        arguments: [
            ("SELECT ? + ?", "SELECT $1 + $2", 2),
            ("SELECT ?2, ?1, ?", "SELECT $2, $1, $2", 2),
            ("SELECT '?', \"?\", ?", "SELECT '?', \"?\", $1", 1),
            ("SELECT 1 -- why?\n, ?", "SELECT 1 -- why?\n, $1", 1),
            ("SELECT 'it''s ?' || ?", "SELECT 'it''s ?' || $1", 1),
        ])
    func places(_ sql: String, _ expected: String, _ count: Int) {
        let translated = TranslatedSQL(sql)
        #expect(translated.text == expected)
        #expect(translated.places == count)
    }
}
