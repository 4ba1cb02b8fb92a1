import Testing

@testable import Messages

/// What it costs to find the links of an HTML mail, and that the cheap way finds the same as the tree.
@Suite struct HTMLParseBudgetTests {
    private func search(_ html: String, alwaysMakesTree: Bool = false) throws -> HTMLLinkFinder.Finding {
        try Array(html.utf8).withUnsafeBufferPointer { source in
            try HTMLLinkFinder.search(
                source, judgement: LinkClassification(target: TargetURL.init(stored:)), alwaysMakesTree: alwaysMakesTree
            )
        }
    }

    @Test("without a tree the same links are found as in one, and the same end of the body")
    func same() throws {
        var mails = RandomMail(seed: 3)
        var withoutTree = 0
        for _ in 0..<5_000 {
            let html = mails.html(pieces: 0...9)
            let (found, inTree) = (try? search(html), try? search(html, alwaysMakesTree: true))
            #expect(found?.links == inTree?.links, "\(html.debugDescription)")
            #expect(found?.pixelPlace == inTree?.pixelPlace, "\(html.debugDescription)")
            if found?.treeCount == 0 { withoutTree += 1 }
        }
        #expect(withoutTree > 3_000, "most mails need no tree")
    }

    @Test(
        "a tree is made where markup alone does not tell",
        arguments: [
            "<svg><a href='https://a.example/'></svg>", "<select><a href='https://a.example/'></select>",
            "<template><a href='https://a.example/'></template>", "<noscript><a href='https://a.example/'></noscript>",
            "<plaintext><a href='https://a.example/'>", "<frameset><a href='https://a.example/'>",
            "<math><a href='https://a.example/'></math>", "<table></body>", "</><v:rect href='https://a.example/'>",
        ])
    func exceptions(_ html: String) throws {
        let found = try search(html)
        #expect(found.treeCount == 1)
        #expect(found.links == (try search(html, alwaysMakesTree: true)).links)
    }

    @Test(
        "no tree is made for a tag whose attributes the parser reads in its own way",
        arguments: ["<a x x href='https://a.example/'>", "<a href=&#104;ttps://a.example/>"])
    func written(_ html: String) throws {
        let found = try search(html)
        #expect(found.treeCount == 0)
        #expect(found.links.map(\.url) == ["https://a.example/"])
        #expect(found.links == (try search(html, alwaysMakesTree: true)).links)
    }

    @Test("the parser reads each attribute as it is written, in tags in which no name stands twice")
    func attributes() {
        var mails = RandomMail(seed: 4)
        var compared = 0
        for _ in 0..<5_000 {
            let html = mails.html(pieces: 0...9)
            Array(html.utf8).withUnsafeBufferPointer { source in
                let document = HTMLDocument(source)
                document.visit { item in
                    guard case .element(let element) = item, element.isLink, let start = element.start,
                        let written = element.written, let tag = HTMLTag(source, at: start)
                    else { return }
                    let names = tag.attributes(source).map { String(decoding: source[$0.name], as: UTF8.self) }
                    guard Set(names.map { $0.lowercased() }).count == names.count else { return }
                    let value = written.attribute("href")?.value
                    #expect(value == element.parsedValue(of: "href"), "\(html.debugDescription)")
                    if value != nil { compared += 1 }
                }
            }
        }
        #expect(compared > 500, "many tags are compared")
    }

    @Test(
        "behind an end tag without a name, links and the end of the body are found as anywhere else",
        arguments: [
            "<p></><v:roundrect href='https://a.example/x'>b</v:roundrect>",
            "</></><V:rect href='https://a.example/x'/>", "</><a href='https://a.example/x'>x</a>",
            "</><!--[if mso]><a href='https://a.example/x'>x</a><![endif]-->",
            "<!--[if mso]></><v:rect href='https://a.example/x'></v:rect><![endif]-->",
        ])
    func namelessEnd(_ html: String) throws {
        let body = "<body>\(html)</>"
        let found = try search(body + "</body>")
        #expect(found.links.map(\.url) == ["https://a.example/x"])
        #expect(found.links.map(\.skipped) == [nil])
        #expect(found.pixelPlace == body.utf8.count)
    }

    @Test(
        "a link that was left open is decoded once, however often a parser copies it",
        arguments: [false, true])
    func copies(_ makesTree: Bool) throws {
        let url = "http://x/?" + String(repeating: "a&amp;b", count: 500)
        let html = "<p><a href=\"\(url)\"></p>" + String(repeating: "<p>x</p>", count: 2_000)
        let found = try search(html, alwaysMakesTree: makesTree)
        #expect(found.links.count == 1)
        #expect(found.decodingCount == 1)
    }

    /// The URLs that libgumbo itself reads.
    private func parsed(_ html: String) -> [String] {
        Array(html.utf8).withUnsafeBufferPointer { source in
            var urls: [String] = []
            let document = HTMLDocument(source)
            document.visit { item in
                guard case .element(let element) = item, element.isLink, let url = element.parsedValue(of: "href")
                else { return }
                urls.append(url)
            }
            return urls
        }
    }

    @Test("references are decoded as a parser does: in links, with and without quotes")
    func references() throws {
        for value in [
            "?a=1&b=2", "?a=1&amp;b=2", "?&copy=1", "?&copy;1", "?&copy", "?&amp=1", "?&amp", "?&ampx", "?&#38;",
            "?&#x26", "?&#x26;", "?&#X26;", "?&#60;", "?&#62;", "?&#34;", "?&#39;", "?&#233;", "?&#x1F600;", "?&#128;",
            "?&#x80;", "?&#x9f;", "?&#xA0;", "?&#0;", "?&#xD800;", "?&#x110000;", "?&#xFDD0;", "?&#xFFFF;", "?&#38",
            "?&#38x", "?&#;", "?&#x;", "?&#xg;", "?&#00038;", "?&#0000038;", "?&#9;", "?&#10;", "?&#13;", "?&#32;",
            "?&#127;", "?&#173;", "?&#x26;amp;", "?&#38;#38;", "?&#x26;=1", "?&#4294967334;", "?&#38;&amp;&#38;",
            "?&notit;", "?&not=1", "?a&&b", "?a& b", "?a&", "?&AMP;", "?&amp;&amp;", "?&lt;", "?&x.y", "?\u{7F}",
            "?\u{85}",
            "?&#x100000041;", "?&#xFFFFFFFF;x", "?&#4294967361;", "?&#4294967361x", "?&#x0000000000041;", "?&#xFFFFFF;",
            "?&copy;&#xFFFFFFFF;&#x80000000",
        ] {
            for quote in ["\"", "'", ""] {
                let html = "<a href=\(quote)https://a.example/\(value)\(quote)>x</a>"
                let (found, inTree) = (try search(html).links, try search(html, alwaysMakesTree: true).links)
                #expect(found == inTree, "\(html.debugDescription)")
                // As browsers, the finder leaves out white space at the end.
                let read = parsed(html).map { String($0.reversed().drop { " \t\n\r".contains($0) }.reversed()) }
                #expect(found.map(\.url) == read, "\(html.debugDescription)")
            }
        }
    }
}
