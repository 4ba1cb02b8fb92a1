import TestSupport

/// Mails that nobody would write: pieces of HTML in any order, and every piece broken now and then.
struct RandomMail {
    private var random: SeededGenerator

    init(seed: UInt64) { random = SeededGenerator(seed: seed) }

    mutating func html(pieces: ClosedRange<Int> = 0...40) -> String {
        var html = (0..<Int.random(in: pieces, using: &random)).map { _ in piece() }.joined()
        for _ in 0..<Int.random(in: 0...3, using: &random) { html = broken(html) }
        return html
    }

    mutating func text() -> String {
        (0..<Int.random(in: 0...20, using: &random)).map { _ in
            pick([url(), url(), pick(Self.words), pick(Self.noise), pick(Self.punctuation)])
        }.joined()
    }

    /// A drawing as programs write it: each shape is closed, in one way or another.
    mutating func drawing(depth: Int = 3) -> String {
        let shapes = (0..<Int.random(in: 0...4, using: &random)).map { _ in
            switch Int.random(in: 0..<4, using: &random) {
            case 0 where depth > 0: drawing(depth: depth - 1)
            case 1: pick(["<path d='M0 0'></path>", "<title>t</title>", "<a><text>t</text></a>"])
            default: pick(["<path d='M0 0'/>", "<circle r=1 />", "<use xlink:href=\"#x\"/>", "<g/>", "\n"])
            }
        }
        let name = depth == 3 ? "svg" : pick(["svg", "g", "defs"])
        return "<\(name) x='1'>\(shapes.joined())</\(name)>"
    }

    private mutating func piece() -> String {
        switch Int.random(in: 0..<10, using: &random) {
        case 0...3: "<\(pick(Self.linkTags))\(pick(Self.spaces))\(attribute())\(pick(Self.tagEnds))"
        case 4, 5: pick(Self.tags)
        case 6: "</\(pick(Self.names))>"
        case 7: pick(Self.words)
        case 8: pick(Self.noise)
        default: pick(Self.comments)
        }
    }

    private mutating func attribute() -> String {
        let quote = pick(["\"", "\"", "'", ""])
        let name = pick(["href", "HREF", "href ", "hreF\n", "href", "title"])
        return "\(name)=\(pick(["", "", " ", "\n"]))\(quote)\(pick(["", "", " ", "\r\n"]))\(url())\(quote)"
            + pick([
                "", "", " class=untracked", " href=https://second.example/", " data-consentlink-label=L", "/",
                " x x ses:no-track", "\" class=\"y\"\" data-consentlink=off",
            ])
    }

    private mutating func url() -> String {
        let number = Int.random(in: 0..<5, using: &random)
        return pick([
            "https://shop.example/\(number)", "http://a.example/?x=\(number)&amp;y=2",
            "https://b.example/?a=1&b=\(number)",
            "https://c.example/&copy=\(number)&#38;z", "HTTPS://D.example/#f", "mailto:a@b.example", "#x", "{{url}}",
            "https://e.example/ü", "//f.example/", "https+notrack://g.example/\(number)", "", "&#104;ttps://h.example/",
            "https://i.example/(\(number))", "https://user@j.example/", "https://k.example/&#x100000041;\(number)",
            "https://l.example/?c=[[custom \"code\"]]", "https://m.example/?c=%7B%7Bget 'a'%7D%7D&n=\(number)",
        ])
    }

    private mutating func broken(_ html: String) -> String {
        var characters = Array(html.unicodeScalars)
        guard !characters.isEmpty else { return html }
        let place = Int.random(in: 0..<characters.count, using: &random)
        switch Int.random(in: 0..<3, using: &random) {
        case 0: characters.removeSubrange(place..<min(place + 5, characters.count))
        case 1: characters.insert(contentsOf: pick(Self.noise).unicodeScalars, at: place)
        default: characters.swapAt(place, Int.random(in: 0..<characters.count, using: &random))
        }
        var text = String.UnicodeScalarView()
        text.append(contentsOf: characters)
        return String(text)
    }

    private mutating func pick(_ choices: [String]) -> String { choices.randomElement(using: &random) ?? "" }

    private static let linkTags = ["a", "A", "area", "v:roundrect", "V:RECT", "a title='>'", "a\n", "img", "link"]
    private static let tagEnds = [">", ">", "/>", " >", ">text</a>", "\n>", ""]
    private static let spaces = [
        " ", "\n", " \t", "/", " x ", " b=\"c\" ", " x x ", "\" \" ",
        " title='&#xFFFFFFFF;' ",
    ]
    private static let names = [
        "a", "p", "b", "i", "table", "td", "tr", "div", "body", "html", "select", "svg", "font", "v:rect", "span",
    ]
    private static let tags =
        names.map { "<\($0)>" } + [
            "<textarea>", "</textarea>", "<style>", "</style>", "<title>", "</title>", "<template>", "<noscript>",
            "<base href=https://base.example/>", "<br/>", "<math>", "<head>", "<caption>", "<form>", "<nobr>",
            "<plaintext>", "<path/>", "<svg/>", "<option>", "<optgroup>", "<desc>",
        ]
    private static let comments = [
        "<!--", "-->", "<!--[if mso]>", "<![endif]-->", "<!--[if !mso]><!-->", "<!--<![endif]-->", "<!>", "<?x?>",
        "<!DOCTYPE html>", "<![CDATA[", "]]>", "--!>",
        "<!--[if gte mso 9]><v:rect href='https://v.example/?a&amp;b'><![endif]-->",
    ]
    private static let words = [
        "text ", "é", "日本", "😀", "\u{FEFF}", "e\u{301}", "&amp;", "&nbsp", "\r\n", "\r", "\n", " ", "&#xFFFFFFFF;",
    ]
    private static let noise = [
        "<", ">", "\"", "'", "=", "&", "&#", "/", "\u{1}", "\u{C}", "<a", "</", "<!-", "`", "%%",
    ]
    private static let punctuation = [".", ",", "!", "(", ")", "[", "](", "<", ">", "。", "」", "“", "*", " ", " "]
}
