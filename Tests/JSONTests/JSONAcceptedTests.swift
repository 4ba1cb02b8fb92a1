import JSON
import Testing

/// Documents that RFC 8259 allows, and what must be read from them (in the spirit of JSONTestSuite's `y_` files).
@Suite struct JSONAcceptedTests {
    @Test("a legal document is read as what it says", arguments: scalars + strings + containers)
    func isRead(_ sample: Sample) throws {
        #expect(try JSONValue.parse(sample.text.utf8) == sample.value)
    }

    @Test("a legal number keeps its digits", arguments: numbers)
    func numberIsKept(_ literal: String) throws {
        guard case .number(let number) = try JSONValue.parse(literal.utf8) else {
            Issue.record("\(literal) is not read as a number")
            return
        }
        #expect(number.text == literal)
        #expect(try JSONValue.parse("[\(literal)]".utf8) == .array([.number(number)]))
        #expect(try JSONValue.parse(" \(literal) ".utf8) == .number(number))
    }

    struct Sample: Sendable, CustomTestStringConvertible {
        let text: String
        let value: JSONValue

        init(_ text: String, _ value: JSONValue) {
            self.text = text
            self.value = value
        }

        var testDescription: String { text.debugDescription }
    }

    static let numbers: [String] = [
        "0", "-0", "1", "-1", "12", "123456789", "0.5", "-0.5", "1.0", "0e1", "0e+1", "0e-1", "0E1", "1e5", "1E5",
        "1e+5", "1e-5", "1.5e5", "-1.5E-5", "1.000000000000000005", "1e400", "-1e400", "1e-400", "0.00000000000001",
        "9007199254740993", "9223372036854775807", "-9223372036854775808", "18446744073709551615",
        "100000000000000000000000000000000000000", "-0.0", "20e1", "1e00", "1e0123",
    ]

    static let scalars: [Sample] = [
        Sample("null", .null),
        Sample("true", .bool(true)),
        Sample("false", .bool(false)),
        Sample(" true", .bool(true)),
        Sample("true ", .bool(true)),
        Sample("\t\r\n true \n\r\t", .bool(true)),
        Sample(#""""#, .string("")),
    ]

    static let strings: [Sample] = [
        Sample(#""a""#, .string("a")),
        Sample(#"" ""#, .string(" ")),
        Sample(#""\"""#, .string("\"")),
        Sample(#""\\""#, .string("\\")),
        Sample(#""\/""#, .string("/")),
        Sample(#""/""#, .string("/")),
        Sample(#""\b\f\n\r\t""#, .string("\u{8}\u{C}\n\r\t")),
        Sample(#""\u0061""#, .string("a")),
        Sample(#""\u0000""#, .string("\0")),
        Sample(#""a\u0000b""#, .string("a\0b")),
        Sample(#""\u001f""#, .string("\u{1F}")),
        Sample(#""\u0022\u005C""#, .string("\"\\")),
        Sample(#""\\u0061""#, .string("\\u0061")),
        Sample(#""\\\u0061""#, .string("\\a")),
        Sample(#""\u00e9""#, .string("\u{E9}")),
        Sample(#""e\u0301""#, .string("e\u{301}")),
        Sample(#""\uABCD\uabcd""#, .string("\u{ABCD}\u{ABCD}")),
        Sample(#""\u2028\u2029""#, .string("\u{2028}\u{2029}")),
        Sample("\"\u{2028}\u{2029}\"", .string("\u{2028}\u{2029}")),
        Sample(#""\uD83D\uDE00""#, .string("\u{1F600}")),
        Sample(#""\ud83d\ude00""#, .string("\u{1F600}")),
        Sample(#""\uD800\uDC00""#, .string("\u{10000}")),
        Sample(#""\uDBFF\uDFFF""#, .string("\u{10FFFF}")),
        Sample(#""\uFFFE\uFFFF""#, .string("\u{FFFE}\u{FFFF}")),
        Sample(#""\uFEFFa""#, .string("\u{FEFF}a")),
        Sample("\"\u{FEFF}\"", .string("\u{FEFF}")),
        Sample("\"\u{7F}\"", .string("\u{7F}")),
        Sample("\"\u{80}\u{7FF}\u{800}\"", .string("\u{80}\u{7FF}\u{800}")),
        Sample("\"\u{FFFD}\u{10000}\u{10FFFF}\"", .string("\u{FFFD}\u{10000}\u{10FFFF}")),
        Sample("\"\u{D7FF}\u{E000}\"", .string("\u{D7FF}\u{E000}")),
        Sample("\"añ€😀\"", .string("añ€😀")),
        Sample("\"ñ\\n€\\\"😀\"", .string("ñ\n€\"😀")),
        Sample(#""{[,:]}""#, .string("{[,:]}")),
        Sample(#""null""#, .string("null")),
    ]

    static let containers: [Sample] = [
        Sample("[]", .array([])),
        Sample("[ ]", .array([])),
        Sample("[\n]", .array([])),
        Sample("[[]]", .array([.array([])])),
        Sample("[[],[]]", .array([.array([]), .array([])])),
        Sample("[1]", .array([.integer(1)])),
        Sample("[1,2]", .array([.integer(1), .integer(2)])),
        Sample(" [ 1 , 2 ] ", .array([.integer(1), .integer(2)])),
        Sample(#"["", null, true]"#, .array([.string(""), .null, .bool(true)])),
        Sample("[false\n]", .array([.bool(false)])),
        Sample("{}", object([])),
        Sample("{ }", object([])),
        Sample("{\t}", object([])),
        Sample(#"{"":0}"#, object([("", .integer(0))])),
        Sample(#"{"a":null}"#, object([("a", .null)])),
        Sample(#"{"a":1,"b":2}"#, object([("a", .integer(1)), ("b", .integer(2))])),
        Sample(#"{"b":1,"a":2}"#, object([("b", .integer(1)), ("a", .integer(2))])),
        Sample("\n{ \"a\" : [ ] , \"b\" : { } }\n", object([("a", .array([])), ("b", object([]))])),
        Sample(#"{"a":{"a":{"a":1}}}"#, object([("a", object([("a", object([("a", .integer(1))]))]))])),
        Sample(#"{"a":1,"A":2}"#, object([("a", .integer(1)), ("A", .integer(2))])),
        Sample(#"{"\u0061\n":1}"#, object([("a\n", .integer(1))])),
        Sample(#"{"a\u0000b":1,"a":2}"#, object([("a\0b", .integer(1)), ("a", .integer(2))])),
        Sample(#"[{"a":1},{"a":1}]"#, .array([object([("a", .integer(1))]), object([("a", .integer(1))])])),
        Sample(#"{"__proto__":1}"#, object([("__proto__", .integer(1))])),
    ]
}

func object(_ members: [(String, JSONValue)]) -> JSONValue {
    var object = JSONObject()
    for (name, value) in members where !object.append(name, value) {
        Issue.record("\(name) stands twice in what a test expects")
    }
    return .object(object)
}
