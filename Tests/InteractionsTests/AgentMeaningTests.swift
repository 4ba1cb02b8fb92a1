import Interactions
import Testing

@Suite struct AgentMeaningTests {
    @Test("people are people, in whatever app they follow a link", arguments: people)
    func person(_ userAgent: String) {
        #expect(AgentMeaning(userAgent: userAgent) == .browser)
    }

    @Test("search engines, archives, monitors and HTTP libraries are crawlers", arguments: crawlers)
    func crawler(_ userAgent: String) {
        #expect(AgentMeaning(userAgent: userAgent) == AgentMeaning(.crawlerAgent))
    }

    @Test("what shows a card of a link is a previewer, even where it calls itself a bot", arguments: previewers)
    func previewer(_ userAgent: String) {
        #expect(AgentMeaning(userAgent: userAgent) == AgentMeaning(.previewerAgent))
    }

    @Test("mail and web gateways are scanners", arguments: scanners)
    func scanner(_ userAgent: String) {
        #expect(AgentMeaning(userAgent: userAgent) == AgentMeaning(.scannerAgent))
    }

    @Test("Apple Mail's prefetch is a machine's; a link followed with the same user agent says nothing")
    func bare() {
        for userAgent in ["Mozilla/5.0", "mozilla/5.0"] {
            let bare = AgentMeaning(userAgent: userAgent)
            #expect((bare.opening, bare.following) == (.appleMailPrivacy, .bareAgent))
        }
        for userAgent in [
            "Mozilla/5.0 ", " Mozilla/5.0", "Mozilla/5.00", "Mozilla/5.", "Mozilla/5.0 (iPhone)", "Mozilla/4.0",
        ] {
            #expect(AgentMeaning(userAgent: userAgent) == .browser, "\(userAgent)")
        }
    }

    @Test("a mailbox's proxy fetches pictures for people or for nobody, and follows no links")
    func proxies() {
        let gmail = AgentMeaning(
            userAgent: "Mozilla/5.0 (Windows NT 5.1; rv:11.0) Gecko Firefox/11.0 (via ggpht.com GoogleImageProxy)")
        #expect((gmail.opening, gmail.following) == (.gmailImageProxy, .scannerAgent))
        let yahoo = AgentMeaning(userAgent: "YahooMailProxy; https://help.yahoo.com/kb/yahoo-mail-proxy-SLN28749.html")
        #expect((yahoo.opening, yahoo.following) == (.yahooMailProxy, .scannerAgent))
    }

    @Test("no browser has no user agent")
    func none() {
        #expect(AgentMeaning(userAgent: "") == .missing)
        #expect(AgentMeaning.missing == AgentMeaning(.noUserAgent))
    }

    @Test("case makes no difference", arguments: ["GOOGLEBOT", "googlebot", "GoOgLeBoT", "CURL/8.5.0"])
    func letterCase(_ userAgent: String) {
        #expect(AgentMeaning(userAgent: userAgent) == AgentMeaning(.crawlerAgent))
    }

    @Test("the first 512 bytes decide")
    func length() {
        let (word, crawler) = ("crawl", AgentMeaning(.crawlerAgent))
        #expect(AgentMeaning(userAgent: String(repeating: "x", count: 512 - word.utf8.count) + word) == crawler)
        #expect(AgentMeaning(userAgent: String(repeating: "x", count: 513 - word.utf8.count) + word) == .browser)
        #expect(AgentMeaning(userAgent: word + String(repeating: "x", count: 100_000)) == crawler)
    }

    @Test("bytes beyond ASCII do no harm", arguments: ["Mozilla/5.0 ünï😀", "\u{0}\u{7F}", "boț", "ｂｏｔ"])
    func otherBytes(_ userAgent: String) {
        #expect(AgentMeaning(userAgent: userAgent) == .browser)
    }
}

extension AgentMeaning {
    init(userAgent: String) { self.init(userAgent: userAgent.utf8Span.span) }
}
