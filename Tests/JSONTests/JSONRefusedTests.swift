import JSON
import Testing

/// Documents that are no JSON, and where and why reading must stop (in the spirit of JSONTestSuite's `n_` files).
@Suite struct JSONRefusedTests {
    @Test("an illegal document is refused where it goes wrong", arguments: structure + strings + numbers + literals)
    func isRefused(_ sample: Sample) {
        #expect(throws: JSONError.malformed(offset: sample.offset, sample.what)) {
            try JSONValue.parse(sample.text.utf8)
        }
    }

    @Test("every beginning of a document is refused, and so is any byte behind it")
    func cutAndExtended() throws {
        let whole = Array(#"{"a":[1.5e3,"\ud83d\ude00é",{"b":null}],"c":true,"d":"😀"}"#.utf8)
        _ = try JSONValue.parse(whole)
        for length in whole.indices {
            #expect(throws: JSONError.self, "the first \(length) bytes") { try JSONValue.parse(whole[..<length]) }
        }
        for byte in UInt8.min...UInt8.max where ![0x20, 0x0A, 0x0D, 0x09].contains(byte) {
            #expect(throws: JSONError.malformed(offset: whole.count, .trailingBytes)) {
                try JSONValue.parse(whole + [byte])
            }
        }
    }

    @Test("a control character must be escaped", arguments: UInt8.min..<0x20)
    func controlCharacter(_ byte: UInt8) {
        for before in ["\"", "\"a", "\"\\n", "\"\\na"] {
            #expect(throws: JSONError.malformed(offset: before.utf8.count, .controlCharacter)) {
                try JSONValue.parse(Array(before.utf8) + [byte, UInt8(ascii: "\"")])
            }
        }
    }

    @Test(
        "only eight letters and u may stand behind a backslash",
        arguments: (UInt8.min...UInt8.max).filter { !#""\/bfnrtu"#.utf8.contains($0) })
    func escape(_ byte: UInt8) {
        #expect(throws: JSONError.malformed(offset: 1, .badEscape)) {
            try JSONValue.parse(Array("\"\\".utf8) + [byte, UInt8(ascii: "\"")])
        }
    }

    @Test("what is wrong is said without repeating the document")
    func descriptionIsSafe() {
        for sample in ["{\"token\" secret}", "\"secret", "[secret]", "secret"] {
            do {
                _ = try JSONValue.parse(sample.utf8)
                Issue.record("\(sample) is read")
            } catch {
                #expect(!error.description.contains("secret"))
                #expect(error.description.hasPrefix("not JSON: "))
                #expect(error.bodyProblems == nil)
            }
        }
    }

    struct Sample: Sendable, CustomTestStringConvertible {
        let text: String
        let offset: Int
        let what: JSONError.Malformation

        init(_ text: String, _ offset: Int, _ what: JSONError.Malformation) {
            self.text = text
            self.offset = offset
            self.what = what
        }

        var testDescription: String { text.debugDescription }
    }
}

extension JSONRefusedTests {
    static let structure: [Sample] = [
        Sample("", 0, .empty),
        Sample(" ", 1, .unexpectedEnd),
        Sample("\u{FEFF}{}", 0, .byteOrderMark),
        Sample("\u{FEFF}", 0, .byteOrderMark),
        Sample("{}\u{FEFF}", 2, .trailingBytes),
        Sample("[", 1, .unexpectedEnd),
        Sample("]", 0, .valueExpected),
        Sample("{", 1, .unexpectedEnd),
        Sample("}", 0, .valueExpected),
        Sample("[]]", 2, .trailingBytes),
        Sample("{}}", 2, .trailingBytes),
        Sample("[}", 1, .valueExpected),
        Sample("{]", 1, .nameExpected),
        Sample("[1", 2, .unexpectedEnd),
        Sample("[1,", 3, .unexpectedEnd),
        Sample("[1,]", 3, .valueExpected),
        Sample("[,1]", 1, .valueExpected),
        Sample("[,]", 1, .valueExpected),
        Sample("[1,,2]", 3, .valueExpected),
        Sample("[1 2]", 3, .commaOrEndExpected),
        Sample("[1:2]", 2, .commaOrEndExpected),
        Sample("[1}", 2, .commaOrEndExpected),
        Sample("[1;2]", 2, .commaOrEndExpected),
        Sample("1 2", 2, .trailingBytes),
        Sample("1,", 1, .trailingBytes),
        Sample(",", 0, .valueExpected),
        Sample(":", 0, .valueExpected),
        Sample("[][]", 2, .trailingBytes),
        Sample("{}{}", 2, .trailingBytes),
        Sample(#"{"a""#, 4, .unexpectedEnd),
        Sample(#"{"a":"#, 5, .unexpectedEnd),
        Sample(#"{"a":1"#, 6, .unexpectedEnd),
        Sample(#"{"a":1,"#, 7, .unexpectedEnd),
        Sample(#"{"a"}"#, 4, .colonExpected),
        Sample(#"{"a" 1}"#, 5, .colonExpected),
        Sample(#"{"a",1}"#, 4, .colonExpected),
        Sample(#"{"a"=1}"#, 4, .colonExpected),
        Sample(#"{"a":}"#, 5, .valueExpected),
        Sample(#"{"a"::1}"#, 5, .valueExpected),
        Sample(#"{"a":1,}"#, 7, .nameExpected),
        Sample(#"{,"a":1}"#, 1, .nameExpected),
        Sample(#"{"a":1,,"b":2}"#, 7, .nameExpected),
        Sample(#"{"a":1 "b":2}"#, 7, .commaOrEndExpected),
        Sample(#"{"a":1]"#, 6, .commaOrEndExpected),
        Sample("{a:1}", 1, .nameExpected),
        Sample("{'a':1}", 1, .nameExpected),
        Sample("{1:1}", 1, .nameExpected),
        Sample("{null:1}", 1, .nameExpected),
        Sample("{[]:1}", 1, .nameExpected),
        Sample("[1] // comment", 4, .trailingBytes),
        Sample("/* comment */ 1", 0, .valueExpected),
        Sample("[1, # comment\n2]", 4, .valueExpected),
        Sample("\u{C}1", 0, .valueExpected),
        Sample("\u{B}1", 0, .valueExpected),
        Sample("\u{A0}1", 0, .valueExpected),
        Sample("[\u{2060}]", 1, .valueExpected),
        Sample("\01", 0, .valueExpected),
        Sample("1\0", 1, .trailingBytes),
        Sample("é", 0, .valueExpected),
        Sample("<html>", 0, .valueExpected),
    ]

    static let strings: [Sample] = [
        Sample("\"", 1, .unexpectedEnd),
        Sample(#""a"#, 2, .unexpectedEnd),
        Sample(#""\"#, 2, .unexpectedEnd),
        Sample(#""\""#, 3, .unexpectedEnd),
        Sample("'a'", 0, .valueExpected),
        Sample("a", 0, .valueExpected),
        Sample(#"\u0022a""#, 0, .valueExpected),
        Sample(#""a" "b""#, 4, .trailingBytes),
        Sample(#""\u"#, 3, .unexpectedEnd),
        Sample(#""\u""#, 3, .badEscape),
        Sample(#""\u12""#, 5, .badEscape),
        Sample(#""\u123""#, 6, .badEscape),
        Sample(#""\u123g""#, 6, .badEscape),
        Sample(#""\u+123""#, 3, .badEscape),
        Sample(#""\u 123""#, 3, .badEscape),
        Sample(#""\U0061""#, 1, .badEscape),
        Sample(#""\u{61}""#, 3, .badEscape),
        Sample(#""\x61""#, 1, .badEscape),
        Sample(#""\'""#, 1, .badEscape),
        Sample(#""\0""#, 1, .badEscape),
        Sample(#""\a""#, 1, .badEscape),
        Sample("\"\\\n\"", 1, .badEscape),
        Sample(#""\uD800""#, 1, .loneSurrogate),
        Sample(#""a\uDBFF""#, 2, .loneSurrogate),
        Sample(#""\uDC00""#, 1, .loneSurrogate),
        Sample(#""\uDFFF\uD800""#, 1, .loneSurrogate),
        Sample(#""\uD800\uD800""#, 1, .loneSurrogate),
        Sample(#""\uD800\u0061""#, 1, .loneSurrogate),
        Sample(#""\uD800\uE000""#, 1, .loneSurrogate),
        Sample(#""\uD800a""#, 1, .loneSurrogate),
        Sample(#""\uD800\n""#, 1, .loneSurrogate),
        Sample(#""\uD83D\uDE00\uDE00""#, 13, .loneSurrogate),
        Sample(#""\uD800\u""#, 9, .badEscape),
        Sample(#""\uD800\uDC0""#, 12, .badEscape),
        Sample(#"{"\uD800":1}"#, 2, .loneSurrogate),
    ]

    static let numbers: [Sample] = [
        Sample("-", 1, .unexpectedEnd),
        Sample("--1", 1, .digitExpected),
        Sample("+1", 0, .valueExpected),
        Sample("-a", 1, .digitExpected),
        Sample("- 1", 1, .digitExpected),
        Sample("01", 1, .leadingZero),
        Sample("00", 1, .leadingZero),
        Sample("-01", 2, .leadingZero),
        Sample("[012]", 2, .leadingZero),
        Sample("00.5", 1, .leadingZero),
        Sample(".5", 0, .valueExpected),
        Sample("-.5", 1, .digitExpected),
        Sample("1.", 2, .unexpectedEnd),
        Sample("[1.]", 3, .digitExpected),
        Sample("1.e5", 2, .digitExpected),
        Sample("1.5.5", 3, .trailingBytes),
        Sample("1e", 2, .unexpectedEnd),
        Sample("[1e]", 3, .digitExpected),
        Sample("[1e+]", 4, .digitExpected),
        Sample("1e+-5", 3, .digitExpected),
        Sample("1e1.5", 3, .trailingBytes),
        Sample("1e5e5", 3, .trailingBytes),
        Sample("0x10", 1, .trailingBytes),
        Sample("[0x10]", 2, .commaOrEndExpected),
        Sample("1_000", 1, .trailingBytes),
        Sample("1a", 1, .trailingBytes),
        Sample("1f", 1, .trailingBytes),
        Sample("１", 0, .valueExpected),
        Sample("[1,000.00]", 4, .leadingZero),
    ]

    static let literals: [Sample] = [
        Sample("NaN", 0, .valueExpected),
        Sample("Infinity", 0, .valueExpected),
        Sample("-Infinity", 1, .digitExpected),
        Sample("-NaN", 1, .digitExpected),
        Sample("nan", 1, .valueExpected),
        Sample("nul", 3, .unexpectedEnd),
        Sample("nulL", 3, .valueExpected),
        Sample("nullx", 4, .trailingBytes),
        Sample("t", 1, .unexpectedEnd),
        Sample("[tru]", 4, .valueExpected),
        Sample("True", 0, .valueExpected),
        Sample("TRUE", 0, .valueExpected),
        Sample("truefalse", 4, .trailingBytes),
        Sample("fals\0", 4, .valueExpected),
        Sample("undefined", 0, .valueExpected),
    ]
}
