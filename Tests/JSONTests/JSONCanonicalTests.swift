import JSON
import Testing

/// RFC 8785.
@Suite struct JSONCanonicalTests {
    @Test(
        "values that mean the same are the same bytes",
        arguments: [
            (#" { "b" : 1 , "a" : [ true , null ] } "#, #"{"a":[true,null],"b":1}"#),
            (#"{"c":{"z":1,"y":{"b":0,"a":0}}}"#, #"{"c":{"y":{"a":0,"b":0},"z":1}}"#),
            (#"[3,1,2]"#, "[3,1,2]"),
            (#""\u0061\/\u00e9\u000a\u0007""#, #""a/é\n\u0007""#),
            (#"{"aa":1,"a":2,"":3}"#, #"{"":3,"a":2,"aa":1}"#),
            (#"{"10":1,"9":2,"1":3}"#, #"{"1":3,"10":1,"9":2}"#),
            (#"{"a\u0000":1,"a":2}"#, #"{"a":2,"a\u0000":1}"#),
            ("-0", "0"),
            ("[9007199254740991,-9007199254740991]", "[9007199254740991,-9007199254740991]"),
        ]
    )
    func form(_ text: String, _ canonical: String) throws {
        #expect(String(decoding: try JSONValue.parse(text).canonical(), as: UTF8.self) == canonical)
    }

    /// The example of RFC 8785, 3.2.3: U+FB33 comes after the emoji, whose first code unit is U+D83D.
    @Test("members are sorted by UTF-16 code units")
    func order() throws {
        let text = #"{"\u20ac":1,"\r":2,"\ufb33":3,"1":4,"\ud83d\ude00":5,"\u0080":6,"\u00f6":7}"#
        let canonical = "{\"\\r\":2,\"1\":4,\"\u{80}\":6,\"\u{F6}\":7,\"\u{20AC}\":1,\"\u{1F600}\":5,\"\u{FB33}\":3}"
        #expect(try JSONValue.parse(text).canonical() == Array(canonical.utf8))
    }

    @Test(
        "a number that readers may round is refused",
        arguments: ["1.5", "1.0", "1e2", "9007199254740992", "-9007199254740992", "100000000000000000000"]
    )
    func numbers(_ literal: String) throws {
        for text in [literal, "[\(literal)]", "{\"a\":\(literal)}"] {
            let value = try JSONValue.parse(text)
            #expect(throws: JSONError.numberNotCanonical) { try value.canonical() }
        }
    }
}
