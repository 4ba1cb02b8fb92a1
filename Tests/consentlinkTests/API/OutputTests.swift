import ConsentLinkClient
import JSON
import Testing

@testable import consentlink

@Suite struct OutputTests {
    @Test("columns are as wide as what is widest in them, and no line ends in spaces")
    func table() {
        #expect(
            Output.table([["KEY", "SIGNS", ""], ["1", "yes", ""], ["10", "no", "x"]])
                == ["KEY  SIGNS", "1    yes", "10   no     x"])
        #expect(Output.table([]) == [])
        #expect(Output.table([["alone"]]) == ["alone"])
    }

    @Test("what a terminal would act on takes the width that it is shown with")
    func escapes() {
        #expect(Output.table([["a\u{1B}b", "x"], ["c", "y"]]) == ["a\\u{1B}b  x", "c         y"])
    }

    @Test("a character of several scalars is one place wide")
    func graphemes() { #expect(Output.table([["e\u{301}", "x"], ["ab", "y"]]) == ["e\u{301}   x", "ab  y"]) }
}

@Suite struct JSONForPeopleTests {
    private func parsed(_ text: String) throws -> JSONValue { try JSONValue.parse(Array(text.utf8)) }

    @Test(
        "a value as people read it",
        arguments: [
            ("null", "-"), ("true", "yes"), ("false", "no"), ("\"x y\"", "x y"), ("\"\"", ""), ("12", "12"),
            ("-1.5", "-1.5"), ("[1,2]", "[1,2]"), ("{\"a\":null}", "{\"a\":null}"),
        ])
    func text(_ json: String, _ text: String) throws { #expect(try parsed(json).text == text) }

    @Test("members and elements of what has none are none")
    func lookUp() throws {
        let document = try parsed(#"{"a":{"b":[1,2]}}"#)
        #expect(document["a"]?["b"]?.elements.map(\.text) == ["1", "2"])
        #expect(document["x"] == nil)
        #expect(document["a"]?["b"]?["c"] == nil)
        #expect(document["a"]?.elements == [])
    }

    @Test(
        "a problem is its detail, and a line for each member that does not fit",
        arguments: [
            (#"{"detail":"no"}"#, "no"),
            (#"{"detail":"no","errors":[{"pointer":"/a","detail":"x"},{"detail":"y"}]}"#, "no\n  /a x\n   y"),
            (#"{"detail":"\u001b[2J","errors":[{"pointer":"/\n","detail":"\r"}]}"#, "\\u{1B}[2J\n  /\\u{A} \\u{D}"),
            (#"{"detail":"no","errors":{}}"#, "no"),
            (
                #"{"detail":"no","errors":[{"pointer":"/a","detail":"x"}],"errorsOmitted":17}"#,
                "no\n  /a x\n  and 17 more"
            ),
            (#"{"title":"no detail"}"#, nil), ("[]", nil), ("null", nil),
        ] as [(String, String?)])
    func problem(_ json: String, _ text: String?) throws {
        #expect(Problem(status: 422, try parsed(json)).text == text)
    }
}
