import Identifiers
import Testing

@testable import Console

@Suite struct ConsoleFormTests {
    @Test("white space around a field is left out, unless the field is read as it was typed")
    func whiteSpace() throws {
        let form = ConsoleForm(["recipient": " ana \u{A0}", "reason": "  "])
        #expect(form["recipient"] == "ana")
        #expect(form.exact("recipient") == " ana \u{A0}")
        #expect(try form.exactText("recipient", atMost: .characters(6)) == " ana \u{A0}")
        #expect(try form.text("recipient", atMost: .bytes(3)) == "ana")
        #expect(throws: ConsoleRefusal.unfit(field: "recipient", .tooLong(5))) {
            try form.exactText("recipient", atMost: .characters(5))
        }
        #expect(throws: ConsoleRefusal.unfit(field: "reason", .missing)) {
            try form.text("reason", atMost: .characters(5))
        }
        #expect(form.exact("missing").isEmpty)
    }

    @Test("a text is as long as what it is for counts it: in characters or in bytes")
    func lengths() throws {
        let form = ConsoleForm(["name": String(repeating: "ä", count: 4)])
        #expect(try form.text("name", atMost: .characters(4)) == "ääää")
        #expect(try form.text("name", atMost: .bytes(8)) == "ääää")
        #expect(throws: ConsoleRefusal.unfit(field: "name", .tooManyBytes(7))) {
            try form.text("name", atMost: .bytes(7))
        }
        #expect(throws: ConsoleRefusal.unfit(field: "recipient", .tooManyBytes(256))) {
            try AccessForm(ConsoleForm(["recipient": String(repeating: "ä", count: 129)])).recipient
        }
    }

    @Test(
        "a person is looked up under the identifier that was typed",
        arguments: ["ana", " ana", "ana ", " ", "Jos\u{FFFD}"])
    func recipient(_ text: String) throws {
        #expect(try AccessForm(ConsoleForm(["recipient": text])).recipient.text == text)
    }
}
