import Interactions
import Testing

@Suite struct VisitorClassTests {
    @Test("people are people, in whatever app they follow a link", arguments: people)
    func person(_ userAgent: String) {
        #expect(VisitorClass(userAgent: userAgent) == .person)
    }

    @Test("search engines, archives, monitors and HTTP libraries are crawlers", arguments: crawlers)
    func crawler(_ userAgent: String) {
        #expect(VisitorClass(userAgent: userAgent) == .crawler)
    }

    @Test("what shows a card of a link is a previewer, even where it calls itself a bot", arguments: previewers)
    func previewer(_ userAgent: String) {
        #expect(VisitorClass(userAgent: userAgent) == .previewer)
    }

    @Test("mail and web gateways are scanners", arguments: scanners)
    func scanner(_ userAgent: String) {
        #expect(VisitorClass(userAgent: userAgent) == .scanner)
    }

    @Test("no browser has no user agent")
    func none() {
        #expect(VisitorClass(userAgent: "") == .crawler)
        #expect(VisitorClass.ofNobody == .crawler)
    }

    @Test("case makes no difference", arguments: ["GOOGLEBOT", "googlebot", "GoOgLeBoT", "CURL/8.5.0"])
    func letterCase(_ userAgent: String) {
        #expect(VisitorClass(userAgent: userAgent) == .crawler)
    }

    @Test("the first 512 bytes decide")
    func length() {
        let word = "crawl"
        #expect(VisitorClass(userAgent: String(repeating: "x", count: 512 - word.utf8.count) + word) == .crawler)
        #expect(VisitorClass(userAgent: String(repeating: "x", count: 513 - word.utf8.count) + word) == .person)
        #expect(VisitorClass(userAgent: word + String(repeating: "x", count: 100_000)) == .crawler)
    }

    @Test("bytes beyond ASCII do no harm", arguments: ["Mozilla/5.0 ünï😀", "\u{0}\u{7F}", "boț", "ｂｏｔ"])
    func otherBytes(_ userAgent: String) {
        #expect(VisitorClass(userAgent: userAgent) == .person)
    }

    @Test("everything but a person is automated", arguments: VisitorClass.allCases)
    func automated(_ visitor: VisitorClass) {
        #expect(visitor.isAutomated == (visitor != .person))
    }

    @Test("the numbers under which classes are stored never change")
    func stored() {
        #expect(
            [VisitorClass.person, .crawler, .previewer, .scanner].map(\.rawValue) == [0, 1, 2, 3])
    }
}

extension VisitorClass {
    fileprivate init(userAgent: String) { self.init(userAgent: userAgent.utf8Span.span) }
}
