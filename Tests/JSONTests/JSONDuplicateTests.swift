import JSON
import Testing

@Suite struct JSONDuplicateTests {
    @Test("a second member of the same name is refused with its place", arguments: duplicates)
    func isRefused(_ text: String, _ pointer: String) throws {
        let error = #expect(throws: JSONError.self) { try JSONValue.parse(text.utf8) }
        guard case .duplicateMember(let found) = error else {
            Issue.record("another error: \(String(describing: error))")
            return
        }
        #expect(found.description == pointer)
        #expect(error?.bodyProblems == BodyProblems(found, "duplicate member"))
        #expect(error?.description == "duplicate member \(pointer)")
    }

    static let duplicates: [(String, String)] = [
        (#"{"a":1,"a":1}"#, "/a"),
        (#"{"a":1,"a":2}"#, "/a"),
        (#"{"a":1,"b":2,"a":3}"#, "/a"),
        (#"{"a":1,"\u0061":2}"#, "/a"),
        (#"{"\u0061":1,"a":2}"#, "/a"),
        (#"{"\/":1,"/":2}"#, "/~1"),
        (#"{"~":1,"\u007e":2}"#, "/~0"),
        (#"{"":1,"":2}"#, "/"),
        (#"{"a":null,"a":null}"#, "/a"),
        (#"{"\uD83D\uDE00":1,"😀":2}"#, "/😀"),
        (#"{"\u0000":1,"\u0000":2}"#, "/\0"),
        (#"[0,{"a":{"b":1,"c":[],"b":2}}]"#, "/1/a/b"),
        (#"{"a":[{},{"x":1,"x":2}]}"#, "/a/1/x"),
        (#"{"a/b":{"c~d":1,"c~d":2}}"#, "/a~1b/c~0d"),
        (#"{"a":{"b":1},"a":{"c":2}}"#, "/a"),
        (#"{"a":{"a":1},"b":{"a":1,"a":2}}"#, "/b/a"),
    ]

    @Test(
        "names that only look alike, or are equal to Unicode but not as bytes, are different",
        arguments: [
            #"{"\u00e9":1,"e\u0301":2}"#, #"{"a":1,"A":2}"#, #"{"a":1,"a ":2}"#, #"{"a":1,"a\u0000":2}"#,
            #"{"\u212b":1,"\u00c5":2}"#, #"{"ﬁ":1,"fi":2}"#,
        ]
    )
    func lookAlikes(_ text: String) throws {
        guard case .object(let object) = try JSONValue.parse(text.utf8) else {
            Issue.record("not an object")
            return
        }
        #expect(object.count == 2)
        #expect(object.members.map { object[$0.name] } == [.integer(1), .integer(2)])
    }

    @Test("a duplicate is found wherever it stands, in small and large objects", arguments: [2, 16, 17, 18, 300])
    func everywhere(count: Int) throws {
        for place in 0..<count {
            let names = (0..<count).map { "member\($0)" } + ["member\(place)"]
            let text = "{\(names.map { "\"\($0)\":0" }.joined(separator: ","))}"
            let error = #expect(throws: JSONError.self) { try JSONValue.parse(text.utf8) }
            #expect(error?.description == "duplicate member /member\(place)")
        }
    }

    @Test("an object of 100,000 members is read, its last member found, and a duplicate in it refused")
    func large() throws {
        var writer = JSONWriter()
        writer.beginObject()
        for index in 0..<100_000 { writer.member("é\(index)", index) }
        let open = writer.bytes
        let value = try JSONValue.parse(open + Array("}".utf8))
        guard case .object(let object) = value else {
            Issue.record("not an object")
            return
        }
        #expect(object.count == 100_000)
        #expect(object["é99999"] == .integer(99_999))
        #expect(object["é100000"] == nil)
        #expect(object["e\u{301}99999"] == nil)
        let duplicate = #","\u00e99":0}"#
        #expect(throws: JSONError.duplicateMember(.root.appending("é9"))) {
            try JSONValue.parse(open + Array(duplicate.utf8))
        }
    }
}
