import GRDB
import GRDBSQLite
import SQL
import Testing

@testable import SQLiteFiles

/// What is bound is what comes back, of every type and at its ends.
@Suite struct SQLBindableTests {
    private func stored<Result>(_ value: some SQLBindable, read: (SQLRow) throws -> Result) throws -> (String, Result) {
        try SmallFile.with { small in
            try small.write { db in
                try db.statement("INSERT INTO items VALUES (1, ?)").run(value)
                let statement = try db.statement("SELECT content, typeof(content) FROM items")
                return try #require(try statement.first { ($0.text(1), try read($0)) })
            }
        }
    }

    private func expect<Result: Equatable>(
        _ value: some SQLBindable, is type: String, _ expected: Result, read: (SQLRow) throws -> Result
    ) throws {
        let found = try stored(value, read: read)
        #expect(found.0 == type)
        #expect(found.1 == expected)
    }

    @Test("integers keep their value", arguments: [.min, -1, 0, 1, 1 << 53 + 1, .max] as [Int64])
    func integers(_ value: Int64) throws {
        try expect(value, is: "integer", value) { $0.integer(0) }
        try expect(Int(value), is: "integer", value) { $0.optionalInteger(0) }
    }

    @Test("small unsigned integers and Booleans are integers")
    func otherIntegers() throws {
        try expect(UInt8.max, is: "integer", 255) { $0.integer(0) }
        try expect(UInt16.max, is: "integer", 65_535) { $0.integer(0) }
        try expect(true, is: "integer", true) { $0.bool(0) }
        try expect(false, is: "integer", false) { $0.bool(0) }
    }

    @Test(
        "text keeps every byte, a NUL among them, and an empty text is no NULL",
        arguments: ["", " ", "a\u{0}b", "\u{0}", "é e\u{301} 😀", "'; DROP TABLE items; --", "?1"])
    func text(_ value: String) throws {
        let (type, read) = try stored(value) { (text: $0.text(0), optional: $0.optionalText(0), isNull: $0.isNull(0)) }
        #expect(type == "text")
        #expect(Array(read.text.utf8) == Array(value.utf8) && !read.isNull)
        #expect(read.optional == read.text)
    }

    @Test("text that is not contiguous in memory is bound as it reads")
    func bridged() throws {
        let joined = "abc-def-ghi".split(separator: "-").joined(separator: "\u{0}")
        try expect(joined, is: "text", "abc\u{0}def\u{0}ghi") { $0.text(0) }
    }

    @Test(
        "bytes keep their value, and no bytes are no NULL",
        arguments: [[], [0], [0, 255, 0], Array("text".utf8)] as [[UInt8]])
    func bytes(_ value: [UInt8]) throws {
        let (type, read) = try stored(value) { ($0.bytes(0), $0.isNull(0)) }
        #expect(type == "blob")
        #expect(read.0 == value && !read.1)
    }

    @Test("inline bytes are bound like others")
    func inlineBytes() throws {
        let value: InlineArray<4, UInt8> = [0, 1, 2, 255]
        try expect(value, is: "blob", [0, 1, 2, 255]) { $0.bytes(0) }
    }

    @Test("a value of megabytes keeps its length and its end")
    func huge() throws {
        let bytes = [UInt8](repeating: 0x61, count: 3 << 20) + [0x62]
        try expect(bytes, is: "blob", bytes) { $0.bytes(0) }
        let text = String(decoding: bytes, as: UTF8.self)
        try expect(text, is: "text", text) { $0.text(0) }
    }

    @Test("nil is NULL, whatever it is a nil of, and a value that is there is itself")
    func null() throws {
        func isNull(_ value: some SQLBindable) throws -> Bool {
            let (type, read) = try stored(value) { row in
                row.isNull(0) && row.optionalInteger(0) == nil && row.optionalText(0) == nil && row.bytes(0) == []
                    && row.text(0) == "" && row.integer(0) == 0 && !row.bool(0)
            }
            return type == "null" && read
        }
        #expect(try isNull(Int64?.none) && isNull(String?.none) && isNull([UInt8]?.none) && isNull(Bool?.none))
        try expect(Int64?.some(0), is: "integer", 0) { $0.optionalInteger(0) }
        try expect(String?.some(""), is: "text", "") { $0.optionalText(0) }
    }

    @Test("text that is no UTF-8, which no version writes, is read with replacements and not out of bounds")
    func invalidText() throws {
        try SmallFile.with { small in
            try small.write { db in
                try db.execute(sql: "INSERT INTO items VALUES (1, CAST(x'FF6100C3' AS TEXT))")
                let text = try db.statement("SELECT content FROM items").first { $0.text(0) }
                #expect(text == "\u{FFFD}a\u{0}\u{FFFD}")
            }
        }
    }

    @Test("a number reads as its digits, and a text that is no number as 0")
    func conversions() throws {
        try expect(Int64(-42), is: "integer", "-42") { $0.text(0) }
        try expect("forty", is: "text", 0) { $0.integer(0) }
        try expect("text", is: "text", Array("text".utf8)) { $0.bytes(0) }
    }
}
