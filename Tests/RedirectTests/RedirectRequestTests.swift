import Identifiers
import Interactions
import Messages
import NIOHTTP1
import Testing

@testable import Redirect

@Suite struct RedirectRequestTests {
    private func request(
        _ headers: [(String, String)] = [], method: HTTPMethod = .GET, version: HTTPVersion = .http1_1
    ) -> RedirectRequest {
        RedirectRequest(HTTPRequestHead(version: version, method: method, uri: "/r/x", headers: HTTPHeaders(headers)))
    }

    @Test("a request without headers says nothing, and no browser sends such a one")
    func bare() {
        let bare = request()
        #expect(bare.signals == RequestSignals(isPrefetch: false, hasGlobalPrivacyControl: false, agent: .missing))
        #expect(!bare.wantsHTML)
    }

    @Test(
        "a fetch ahead of a tap says so in one of these ways",
        arguments: [
            ("Sec-Purpose", "prefetch"), ("sec-purpose", "prefetch"), ("SEC-PURPOSE", "PREFETCH"),
            ("Sec-Purpose", "prefetch;prerender"), ("Sec-Purpose", "prefetch;anonymous-client-ip"),
            ("Sec-Purpose", "prerender, prefetch"), ("Purpose", "prefetch"), ("pUrPoSe", "Prefetch"),
            ("X-Moz", "prefetch"), ("x-moz", "prefetch"), ("X-MOZ", "prefetch"), ("X-Purpose", "preview"),
            ("x-purpose", "Preview"), ("X-PURPOSE", "preview"),
        ]
    )
    func prefetch(_ name: String, _ value: String) {
        #expect(request([(name, value)]).signals.isPrefetch)
        #expect(request([("Host", "x"), (name, value), ("Accept", "*/*")]).signals.isPrefetch)
        #expect(!request([(name, value)]).signals.hasGlobalPrivacyControl)
    }

    @Test(
        "near misses are no prefetch",
        arguments: [
            ("Sec-Purpose", ""), ("Sec-Purpose", "prerender"), ("Sec-Purpose", "pre-fetch"), ("Purpose", "preview"),
            ("X-Moz", "livebookmarks"), ("X-Purpose", "prefetch"), ("X-Sec-Purpose", "prefetch"),
            ("Sec-Purposes", "prefetch"), ("Sec-Purpos", "prefetch"), ("Sec_Purpose", "prefetch"),
            ("X-Moz2", "prefetch"), ("Sec-Fetch-Mode", "prefetch"), ("Referer", "https://x.example/prefetch"),
            ("Xurpose", "prefetch"), ("User-Agent", "prefetch"), ("X-Purpose", ""), ("Sec-Gpc", "prefetch"),
        ]
    )
    func noPrefetch(_ name: String, _ value: String) {
        #expect(!request([(name, value)]).signals.isPrefetch)
    }

    @Test("an objection is a one", arguments: ["Sec-GPC", "sec-gpc", "SEC-GPC", "Sec-Gpc"])
    func objection(_ name: String) {
        #expect(request([(name, "1")]).signals.hasGlobalPrivacyControl)
        #expect(request([(name, " \t1 \t")]).signals.hasGlobalPrivacyControl, "blanks around a value are none of it")
        for value in ["", "0", "true", "11", "01", "1, 1", "1.0", "?1", "yes"] {
            #expect(!request([(name, value)]).signals.hasGlobalPrivacyControl, "\(value)")
        }
        #expect(
            !request([("Sec-GP", "1"), ("Sec-GPC2", "1"), ("DNT", "1"), ("Gpc-Sec", "1")]).signals
                .hasGlobalPrivacyControl)
    }

    @Test("the visitor is known by the user agent", arguments: ["User-Agent", "user-agent", "USER-AGENT"])
    func visitor(_ name: String) {
        #expect(request([(name, "Mozilla/5.0 (iPhone)")]).signals.agent == .browser)
        #expect(request([(name, "facebookexternalhit/1.1")]).signals.agent == AgentMeaning(.previewerAgent))
        #expect(request([("X-User-Agent", "Mozilla/5.0")]).signals.agent == .missing)
    }

    @Test("a page is for who asks for one", arguments: ["Accept", "ACCEPT"])
    func accept(_ name: String) {
        #expect(request([(name, "text/html,application/xhtml+xml,*/*;q=0.8")]).wantsHTML)
        #expect(!request([(name, "application/json")]).wantsHTML)
        #expect(!request([(name, "*/*")]).wantsHTML)
        #expect(!request([("Accept-Encoding", "text/html")]).wantsHTML)
    }

    @Test("GET and HEAD follow links, nothing else does")
    func methods() {
        #expect(request().method == .get)
        #expect(request(method: .HEAD).method == .head)
        for method in [HTTPMethod.POST, .PUT, .DELETE, .OPTIONS, .PATCH, .TRACE, .RAW(value: "get")] {
            #expect(request(method: method).method == .other, "\(method)")
        }
    }

    @Test("HTTP/1.0 keeps a connection only when told, and is told back")
    func keepAlive() {
        #expect(request().isKeepAlive)
        #expect(!request().mustStateKeepAlive)
        #expect(!request([("Connection", "close")]).isKeepAlive)
        #expect(!request(version: .http1_0).isKeepAlive)
        let kept = request([("Connection", "keep-alive")], version: .http1_0)
        #expect(kept.isKeepAlive)
        #expect(kept.mustStateKeepAlive)
    }
}

@Suite struct RedirectPathTests {
    private func token(_ uri: String) -> String {
        RedirectPath.withToken(of: uri) { String(decoding: $0.bytesArray, as: UTF8.self) } ?? ""
    }

    @Test(
        "what lies under /r/ is the redirect's, and of it the token is read",
        arguments: [
            ("/r/TOKEN", "TOKEN"), ("/r/TOKEN?utm_source=mail", "TOKEN"), ("/r/TOKEN?", "TOKEN"),
            ("/r/TOKEN/", "TOKEN"),
            ("/r/TOKEN/?a=/", "TOKEN"), ("/r/TOKEN?a=b/", "TOKEN"), ("/r/TOKEN??", "TOKEN"),
            ("/r/TOKEN#top", "TOKEN"), ("/r/TOKEN/#top", "TOKEN"), ("/r/TOKEN#a?b", "TOKEN"), ("/r/TOKEN?a#b", "TOKEN"),
            // One slash alone, and nothing else is taken off.
            ("/r/TOKEN//", "TOKEN/"), ("/r/TOKEN/x", "TOKEN/x"), ("/r//TOKEN", "/TOKEN"), ("/r/", ""),
            ("/r//", ""), ("/r/TOKEN%2F", "TOKEN%2F"), ("/r/TOKEN&a=b", "TOKEN&a=b"), ("/r/TOKEN;a", "TOKEN;a"),
            ("/r/TOKEN ", "TOKEN "),
            // Text that is not ASCII, and all behind it.
            ("/r/TOKEN%E2%80%9D", "TOKEN"), ("/r/TOKEN%e3%80%82", "TOKEN"), ("/r/TOKEN/%C2%BB", "TOKEN"),
            ("/r/TOKEN%80", "TOKEN"), ("/r/TOKEN%ff/x?a", "TOKEN"), ("/r/TOKEN”", "TOKEN"), ("/r/TOKEN/日本#a", "TOKEN"),
            ("/r/TO%C1%8BEN", "TO"), ("/r/%E2%80%9D", ""), ("/r/é?a", ""),
            ("http://links.example/r/TOKEN%C3%A9", "TOKEN"),
            // A character of ASCII is none, and neither is half a byte.
            ("/r/TOKEN%7F", "TOKEN%7F"), ("/r/TOKEN%4B", "TOKEN%4B"), ("/r/TOKEN%8", "TOKEN%8"),
            ("/r/TOKEN%8G", "TOKEN%8G"), ("/r/TOKEN%G8", "TOKEN%G8"), ("/r/TOKEN%%E2", "TOKEN%"),
            ("/r/TOKEN.%E2", "TOKEN."),
            // Absolute targets (RFC 9112, 3.2.2).
            ("http://links.example/r/TOKEN", "TOKEN"), ("https://links.example/r/TOKEN/?a=b", "TOKEN"),
            ("HTTP://LINKS.EXAMPLE:8080/r/TOKEN", "TOKEN"), ("HttpS://links.example/r/TOKEN", "TOKEN"),
            ("http://links.example/r/", ""),
            // Slashes more at the beginning.
            ("//r/TOKEN", "TOKEN"), ("///r/TOKEN/?a", "TOKEN"), ("http://links.example//r/TOKEN", "TOKEN"),
        ]
    )
    func covered(_ uri: String, _ expected: String) {
        #expect(RedirectPath.covers(uri))
        #expect(token(uri) == expected)
    }

    @Test(
        "everything else is the router's, the hits of Adobe's SDKs among it",
        arguments: [
            "/r/?", "/r/?id=h,1,2", "/r/?%E2%80%9D", "/r/#%E2", "/%E2/r/TOKEN", "/r%E2%80%9D/TOKEN",
            "", "/r", "/r?x", "/rx/", "/rx/TOKEN", "/R/TOKEN", "/healthz", "/x/r/TOKEN", "/", "//", "//r", "r/TOKEN",
            "*",
            "/%72/TOKEN", "http://links.example", "http://links.example/", "http://links.example/r", "http:///",
            "http://links.example/x/r/TOKEN", "http:/r/TOKEN", "ftp://links.example/r/TOKEN", "links.example:443",
            "http://links.example/R/TOKEN", "httpx://links.example/r/TOKEN",
        ]
    )
    func notCovered(_ uri: String) {
        #expect(!RedirectPath.covers(uri))
    }

    @Test("of the paths that recipients get, the redirect answers that of links alone", arguments: PublicPath.allCases)
    func publicPaths(_ path: PublicPath) {
        #expect(token("\(path.rawValue)TOKEN") == (path == .link ? "TOKEN" : ""))
        #expect(RedirectPath.covers("\(path.rawValue)TOKEN") == (path == .link))
    }
}

extension Span<UInt8> {
    fileprivate var bytesArray: [UInt8] { indices.map { self[$0] } }
}
