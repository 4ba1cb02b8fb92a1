import JSON
import Testing

@Suite struct JSONWriterTests {
    static func text(_ write: (inout JSONWriter) -> Void) -> String {
        var writer = JSONWriter(capacity: 64)
        write(&writer)
        return String(decoding: writer.bytes, as: UTF8.self)
    }

    @Test("commas stand between values and nowhere else")
    func commas() {
        let text = Self.text { writer in
            writer.object { writer in
                writer.member("a", "x")
                writer.key("b")
                writer.array { writer in
                    writer.array { _ in }
                    writer.integer(-1)
                    writer.object { _ in }
                    writer.object { $0.member("c", true) }
                    writer.null()
                }
                writer.member("d", nil as String?)
                writer.member("left out", ifPresent: nil)
                writer.member("e", nil as Int?)
                writer.member("f", UInt64.max)
                writer.key("g")
                writer.raw("{\"h\":[1,2]}".utf8)
                writer.key("i")
                writer.value(.array([.bool(false), .string("")]))
                writer.key("")
                writer.bool(false)
            }
        }
        #expect(
            text == #"{"a":"x","b":[[],-1,{},{"c":true},null],"d":null,"e":null,"f":18446744073709551615,"#
                + #""g":{"h":[1,2]},"i":[false,""],"":false}"#
        )
    }

    @Test("begin and end write what the closures do")
    func beginEnd() {
        let text = Self.text { writer in
            writer.beginArray()
            for index in 0..<3 {
                writer.beginObject()
                writer.member("n", index)
                writer.endObject()
            }
            writer.beginArray()
            writer.endArray()
            writer.endArray()
        }
        #expect(text == #"[{"n":0},{"n":1},{"n":2},[]]"#)
    }

    @Test(
        "only what must be escaped is",
        arguments: [
            ("", ""), ("abc", "abc"), ("\"", #"\""#), ("\\", #"\\"#), ("/", "/"), ("\u{8}\t\n\u{C}\r", #"\b\t\n\f\r"#),
            ("\0", #"\u0000"#), ("\u{1}\u{F}\u{10}\u{1F}", #"\u0001\u000f\u0010\u001f"#), ("\u{7F}", "\u{7F}"),
            ("é€😀\u{2028}\u{FEFF}", "é€😀\u{2028}\u{FEFF}"), ("a\"b", #"a\"b"#), ("\"a", #"\"a"#), ("a\"", #"a\""#),
            ("é\né", #"é\né"#), ("e\u{301}\r\n", "e\u{301}\\r\\n"), ("<&>'", "<&>'"),
        ]
    )
    func strings(_ text: String, _ escaped: String) throws {
        let written = Self.text { $0.string(text) }
        #expect(written.unicodeScalars.elementsEqual("\"\(escaped)\"".unicodeScalars))
        #expect(Self.text { $0.key(text) }.utf8.elementsEqual("\"\(escaped)\":".utf8))
        #expect(try JSONValue.parse(written) == .string(text))
    }

    @Test("bytes that were taken away are not written again, and the comma is not forgotten")
    func takeBytes() {
        var writer = JSONWriter()
        writer.beginArray()
        writer.integer(1)
        #expect(writer.takeBytes() == Array("[1".utf8))
        #expect(writer.takeBytes() == [])
        writer.integer(2)
        writer.endArray()
        #expect(writer.takeBytes() == Array(",2]".utf8))
    }

    @Test("a closure's error passes through")
    func closureThrows() {
        struct Failure: Error, Equatable {}
        var writer = JSONWriter()
        #expect(throws: Failure()) {
            try writer.object { writer throws(Failure) in
                writer.key("a")
                throw Failure()
            }
        }
    }

    @Test(
        "a value is written as it was read, without the white space",
        arguments: [
            "null", "[1.0,-0,1e5,100000000000000000000]", #"{"b":1,"a":{"é":[]},"":{}}"#, #""\u0000\"\\/é""#,
        ]
    )
    func value(_ text: String) throws {
        #expect(try JSONValue.parse(text).serialized() == Array(text.utf8))
    }
}
