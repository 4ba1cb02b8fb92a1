import Interactions
import Testing

@Suite struct InteractionKindTests {
    @Test("the names and numbers under which kinds are stored never change")
    func kinds() {
        let stored = InteractionKind.allCases.map { "\($0.code) \($0.rawValue)" }
        #expect(
            stored == [
                "1 PushLinkClicked", "2 PushNotificationClicked", "3 PushNotificationOpened",
                "4 PushNotificationReceived", "5 MessageOpened",
            ])
        for kind in InteractionKind.allCases { #expect(InteractionKind(code: kind.code) == kind) }
        #expect(InteractionKind(code: 0) == nil)
        #expect(InteractionKind(code: 6) == nil)
    }

    @Test("the names and numbers under which sources are stored never change")
    func sources() {
        let stored = InteractionSource.allCases.map { "\($0.code) \($0.rawValue)" }
        #expect(stored == ["1 redirect", "2 dynamics365", "3 adobe-campaign", "4 bird"])
        for source in InteractionSource.allCases { #expect(InteractionSource(code: source.code) == source) }
        #expect(InteractionSource(code: 0) == nil)
        #expect(InteractionSource(code: 5) == nil)
    }

    @Test("a button has a name of 1 to 255 bytes")
    func action() {
        #expect(ActionIdentifier("") == nil)
        #expect(ActionIdentifier("buy")?.text == "buy")
        #expect(ActionIdentifier(String(repeating: "a", count: 255)) != nil)
        #expect(ActionIdentifier(String(repeating: "a", count: 256)) == nil)
        #expect(ActionIdentifier(String(repeating: "é", count: 128)) == nil)
    }
}
