import Consent
import Identifiers
import Testing

@testable import Console

@Suite struct PersonCaseTests {
    @Test(
        "what is sealed comes back as it was",
        arguments: [("ana@example.com", "complaint 4711"), ("\u{301}ana", "\u{301}why"), ("a", "a nameless")])
    func text(_ recipient: String, _ reason: String) throws {
        for look in [try AccessID("3440a67a394c7631"), nil] {
            let made = PersonCase(
                id: "1", kind: .timeline, recipient: try RecipientID(recipient), reason: try AccessReason(reason),
                look: look)
            let opened = try #require(PersonCase("1", .timeline, made.text))
            #expect(opened.recipient == made.recipient && opened.reason == made.reason)
            #expect(opened.look == look)
        }
    }

    @Test(
        "no other text opens",
        arguments: [
            "", "ana", "ana\u{0}why", "ana\u{0}why\u{0}", "ana\u{0}why\u{0}named", "ana\u{0}why\u{0}nameless\u{0}",
            "\u{0}why\u{0}nameless", "ana\u{0}\u{0}nameless", "ana\u{0}why\u{0}3440a67a394c76310",
            "ana\nbo\u{0}why\u{0}nameless",
        ])
    func otherText(_ text: String) {
        #expect(PersonCase("1", .timeline, text) == nil)
    }

    private func closed(_ lengths: [Int], for length: Int) -> [String] {
        let open = lengths.enumerated().map { PersonCase.OpenCookie(name: "\($0.offset)", length: $0.element) }
        return PersonCase.closed(of: open, forOneOf: length)
    }

    @Test("four are open at once: the oldest is closed for one more")
    func most() {
        #expect(closed([], for: 500) == [])
        #expect(closed([500, 500, 500], for: 500) == [])
        #expect(closed([500, 500, 500, 500], for: 500) == ["0"])
        #expect(closed([500, 500, 500, 500, 500, 500], for: 500) == ["0", "1", "2"])
    }

    @Test("together they have at most 6 KB: the oldest are closed for one more, and never the one that is opened")
    func length() {
        #expect(closed([3_000], for: 3_144) == [])
        #expect(closed([3_000], for: 3_145) == ["0"])
        #expect(closed([3_000, 200, 200], for: 3_000) == ["0"])
        #expect(closed([200, 3_000, 200], for: 3_000) == ["0", "1"])
        #expect(closed([3_000, 3_000], for: 7_000) == ["0", "1"])
    }
}
