import Testing

@testable import Messages

@Suite struct LinkVerdictCacheTests {
    private static func body(_ html: String, cache: LinkVerdictCache?, judged: (String) -> Void) throws -> MessageBody {
        try withoutActuallyEscaping(judged) { judged in
            try MessageBody(html, .html, cache: cache) { url throws(TargetURLError) in
                judged(url)
                return try TargetURL(stored: url)
            }
        }
    }

    private static func mail(_ urls: [String]) -> String { urls.map { "<a href=\"\($0)\">x</a>" }.joined() }

    @Test("A URL that bodies have in common is judged once, and its links are the same")
    func once() throws {
        let cache = LinkVerdictCache()
        var judged: [String] = []
        let html = Self.mail(["https://shop.example/1", "https://shop.example/2", "javascript:x", "{{later}}"])
        let first = try Self.body(html, cache: cache) { judged.append($0) }
        let second = try Self.body(html, cache: cache) { judged.append($0) }
        let without = try Self.body(html, cache: nil) { _ in }
        #expect(first.links == without.links)
        #expect(second.links == without.links)
        #expect(judged.count == 3)
    }

    @Test(
        "A URL that Swift takes for equal to another one has a verdict of its own",
        arguments: [
            ("https://shop.example/K", "https://shop.example/\u{212A}"),
            ("https://shop.example/?a;b", "https://shop.example/?a\u{37E}b"),
        ])
    func canonicallyEqual(_ ascii: String, _ other: String) throws {
        for urls in [[ascii, other], [other, ascii]] {
            let body = try Self.body(Self.mail(urls), cache: LinkVerdictCache()) { _ in }
            #expect(body.links == (try Self.body(Self.mail(urls), cache: nil) { _ in }).links)
            #expect(body.links.filter { $0.target != nil }.map { Array($0.url.utf8) } == [Array(ascii.utf8)])
        }
    }

    @Test("More URLs than it holds are judged all the same")
    func bounded() throws {
        let cache = LinkVerdictCache()
        let html = Self.mail((0..<3_000).map { "https://shop.example/\($0)" })
        var count = 0
        for _ in 0..<2 {
            let body = try Self.body(html, cache: cache) { _ in count += 1 }
            #expect(body.links.count == 3_000)
            #expect(body.links.allSatisfy { $0.target?.text == $0.url })
        }
        #expect(count > 3_000 && count < 6_000)
    }
}
