import Interactions
import Testing

@Suite struct VisitorTests {
    @Test("the numbers under which visitors are stored, and what follows from them, never change")
    func stored() {
        #expect(
            Visitor.allCases.map { "\($0.rawValue) \($0.class) \($0.reason)" } == [
                "0 person notKept", "1 machine crawlerAgent", "2 machine previewerAgent", "3 machine notKept",
                "4 person browserAgent", "5 machine scannerAgent", "6 machine noUserAgent", "7 person deviceReport",
                "8 machine appleMailPrivacy", "9 cannotTell gmailImageProxy", "10 cannotTell yahooMailProxy",
                "11 cannotTell bareAgent",
            ])
    }

    @Test("a machine is automated, and nothing else", arguments: Visitor.allCases)
    func automated(_ visitor: Visitor) {
        #expect(visitor.isAutomated == (visitor.class == .machine))
    }

    @Test("names are those of the API")
    func names() {
        #expect(VisitorClass.allCases.map(\.rawValue) == ["person", "machine", "cannotTell"])
        #expect(Set(Visitor.allCases.map(\.reason)) == Set(VisitorReason.allCases))
    }
}
