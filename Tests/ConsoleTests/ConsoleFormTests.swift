import Identifiers
import Testing

@testable import Console

@Suite struct ConsoleFormTests {
    @Test("white space around a field is left out, unless the field is read as it was typed")
    func whiteSpace() throws {
        let form = ConsoleForm(["recipient": " ana \u{A0}", "reason": "  "])
        #expect(form["recipient"] == "ana")
        #expect(form.exact("recipient") == " ana \u{A0}")
        #expect(try form.exactText("recipient", atMost: 6) == " ana \u{A0}")
        #expect(try form.text("recipient", atMost: 3) == "ana")
        #expect(throws: ConsoleRefusal.unfit(field: "recipient", .tooLong(5))) {
            try form.exactText("recipient", atMost: 5)
        }
        #expect(throws: ConsoleRefusal.unfit(field: "reason", .missing)) { try form.text("reason", atMost: 5) }
        #expect(form.exact("missing").isEmpty)
    }

    @Test("a person is looked up under the identifier that was typed", arguments: ["ana", " ana", "ana ", " "])
    func recipient(_ text: String) throws {
        #expect(try LookForm(ConsoleForm(["recipient": text])).recipient.text == text)
    }
}
