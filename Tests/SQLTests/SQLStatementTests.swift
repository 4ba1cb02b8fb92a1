import SQL
import Testing

/// What an engine is told, in which order.
@Suite struct SQLStatementTests {
    @Test("every value is bound as what it is, and nil as what it would be")
    func types() throws {
        let engine = RecordedStatement()
        try SQLStatement(engine).run(
            Int64.min, 7, UInt8(1), true, "é", [1, 2] as [UInt8], [3] as InlineArray<1, UInt8>, PersonalText("ana"))
        #expect(
            engine.calls == [
                "1=\(Int64.min)", "2=7", "3=1", "4=1", "5=text é", "6=bytes [1, 2]", "7=bytes [3]", "8=personal ana",
                "8 bound", "execute", "reset",
            ])
        let nothing = RecordedStatement()
        try SQLStatement(nothing).run(Int?.none, Bool?.none, String?.none, [UInt8]?.none, PersonalText?.none)
        #expect(
            nothing.calls == [
                "1=null integer", "2=null integer", "3=null text", "4=null bytes", "5=null personal", "5 bound",
                "execute", "reset",
            ])
    }

    @Test("a row is bound and taken, one after the other, and all of them are finished with once")
    func rowsInserted() throws {
        let engine = RecordedStatement()
        let rows = RowInsert(SQLStatement(engine))
        try rows.add(1, "a")
        try rows.add(2, String?.none)
        try rows.finish()
        #expect(
            engine.calls == [
                "1=1", "2=text a", "2 bound", "add row", "reset", "1=2", "2=null text", "2 bound", "add row", "reset",
                "finish rows",
            ])
    }

    @Test("a statement that only runs is not waited for, and one that counts is")
    func counting() throws {
        let engine = RecordedStatement(rows: [1, 2, 3])
        #expect(try SQLStatement(engine).changes() == 3)
        #expect(engine.calls == ["0 bound", "count", "reset"])
    }

    @Test("the first row is one step, all rows are steps until there is none, and enough is enough")
    func rows() throws {
        let engine = RecordedStatement(rows: [4, 5, 6])
        let statement = SQLStatement(engine)
        #expect(try statement.first { $0.integer(0) } == 4)
        #expect(engine.calls == ["0 bound", "step", "reset"])
        #expect(try statement.all { $0.integer(0) } == [4, 5, 6])
        #expect(engine.calls.count { $0 == "step" } == 1 + 4)
        try statement.forEach { $0.integer(0) < 5 }
        #expect(engine.calls.count { $0 == "step" } == 1 + 4 + 2)
        #expect(engine.calls.last == "reset")
    }

    @Test(
        "whatever fails, nothing after it is done, and the statement is as new",
        arguments: ["1=7", "1 bound", "step", "execute", "count"])
    func failing(_ call: String) throws {
        let engine = RecordedStatement(rows: [1])
        engine.failing = call
        let statement = SQLStatement(engine)
        let uses: [() throws -> Void] = [
            { try statement.run(7) }, { _ = try statement.changes(7) }, { _ = try statement.first(7) { _ in } },
            { _ = try statement.all(7) { _ in } }, { try statement.forEach(7) { _ in true } },
        ]
        var failures = 0
        for use in uses {
            do { try use() } catch is RecordedStatement.Failure {
                failures += 1
                #expect(engine.calls.suffix(2) == [call, "reset"])
            }
            #expect(engine.calls.last == "reset")
        }
        #expect(failures == (["1=7", "1 bound"].contains(call) ? 5 : call == "step" ? 3 : 1))
    }

    @Test("a row that cannot be read ends the statement too")
    func unreadable() throws {
        let engine = RecordedStatement(rows: [1, 2])
        let statement = SQLStatement(engine)
        #expect(throws: StorageError.unreadable) { try statement.first { _ in throw StorageError.unreadable } }
        #expect(engine.calls.last == "reset")
        #expect(throws: StorageError.unreadable) { try statement.all { _ in throw StorageError.unreadable } }
        #expect(engine.calls.suffix(2) == ["step", "reset"])
    }
}
