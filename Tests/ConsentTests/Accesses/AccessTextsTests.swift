import Consent
import Testing

@Suite struct AccessTextsTests {
    @Test("a reason has no white space around it, and up to 500 characters")
    func reasons() throws {
        #expect(try AccessReason(" \t complaint 4711 \u{00A0}").text == "complaint 4711")
        #expect(try AccessReason(String(repeating: "é", count: 500)).text.count == 500)
        #expect(throws: AccessTextError.reasonTooLong) { try AccessReason(String(repeating: "é", count: 501)) }
        for empty in ["", " ", "\n\u{2003}"] {
            #expect(throws: AccessTextError.reasonEmpty) { try AccessReason(empty) }
        }
        for control in ["a\u{0}b", "a\nb", "a\u{7F}", "\u{85}a\u{9B}b"] {
            #expect(throws: AccessTextError.controlCharacter) { try AccessReason(control) }
        }
    }

    @Test(
        "a reason of which nothing is seen is refused when it is stated, and read where it was recorded",
        arguments: ["\u{200B}", "\u{202E}\u{202C}", "\u{FEFF}", " \u{AD} "])
    func blank(_ text: String) throws {
        #expect(throws: AccessTextError.reasonEmpty) { try AccessReason(stated: text) }
        #expect(throws: Never.self) { try AccessReason(text) }
        #expect(try AccessReason(stated: " \u{200B}complaint ").text == "\u{200B}complaint")
    }

    @Test("an interpolated reason does not show its text")
    func hidden() throws {
        #expect("\(try AccessReason("about ana"))" == "(reason)")
    }

    @Test("names say of which kind they are, and no account passes for a key or the operator")
    func names() throws {
        #expect(AccessorName.operator.description == "operator")
        #expect(AccessorName(key: 17).description == "key:17")
        #expect(try AccessorName(account: "operator").description == "account:operator")
        #expect(try AccessorName("account:key:17") != AccessorName(key: 17))
        for name in ["", "ana", "key:", "account:", "Operator", "operator:"] {
            #expect(throws: AccessTextError.noName) { try AccessorName(name) }
        }
        #expect(throws: AccessTextError.nameLength) { try AccessorName(account: String(repeating: "a", count: 248)) }
        #expect(throws: AccessTextError.controlCharacter) { try AccessorName(account: "a\u{0}") }
    }
}
