extension VisitorClass {
    /// Words in a user agent, in lower case, and what they give away. The first that fits counts; the particular stand
    /// before the general: link previewers call themselves bots, and so does a maker of telephones.
    private static let marks: [(word: String, visitor: VisitorClass)] = [
        ("facebookexternalhit", .previewer), ("facebot", .previewer), ("twitterbot", .previewer),
        ("slackbot", .previewer), ("slack-imgproxy", .previewer), ("telegrambot", .previewer),
        ("whatsapp", .previewer), ("discordbot", .previewer), ("linkedinbot", .previewer),
        ("skypeuripreview", .previewer), ("pinterestbot", .previewer), ("redditbot", .previewer),
        ("embedly", .previewer), ("iframely", .previewer), ("googlemessages", .previewer),
        ("google-pagerenderer", .previewer), ("viber", .previewer), ("mastodon", .previewer),
        ("barracuda", .scanner), ("proofpoint", .scanner), ("mimecast", .scanner), ("safelinks", .scanner),
        ("urldefense", .scanner), ("symantec", .scanner), ("messagelabs", .scanner), ("trendmicro", .scanner),
        ("sophos", .scanner), ("fireeye", .scanner), ("forcepoint", .scanner), ("zscaler", .scanner),
        ("cisco-ironport", .scanner), ("virustotal", .scanner), ("google-safety", .scanner),
        ("googleimageproxy", .scanner), ("yahoomailproxy", .scanner), ("urlscan", .scanner),
        ("cubot", .person), ("bot", .crawler), ("crawl", .crawler), ("spider", .crawler), ("slurp", .crawler),
        ("archiver", .crawler),
        ("headlesschrome", .crawler), ("phantomjs", .crawler), ("curl/", .crawler), ("wget/", .crawler),
        ("python-", .crawler), ("python/", .crawler), ("go-http-client", .crawler), ("java/", .crawler),
        ("libwww", .crawler), ("httpclient", .crawler), ("okhttp", .crawler), ("axios", .crawler),
        ("node-fetch", .crawler), ("scrapy", .crawler), ("monitor", .crawler), ("pingdom", .crawler),
        ("lighthouse", .crawler), ("preview", .previewer),
    ]

    /// - Parameter userAgent: the header's value; `nil` when there was none, which no browser does.
    package init(userAgent: String?) {
        guard let userAgent, !userAgent.isEmpty else {
            self = .crawler
            return
        }
        var copy = userAgent
        self = copy.withUTF8(Self.classify)
    }

    private static let automaton = WordAutomaton(words: marks.map { Array($0.word.utf8) })

    /// Only the first 512 bytes are looked at: a longer user agent is not a better one.
    private static func classify(_ bytes: UnsafeBufferPointer<UInt8>) -> VisitorClass {
        automaton.firstWord(in: UnsafeBufferPointer(rebasing: bytes.prefix(512))).map { marks[$0].visitor } ?? .person
    }
}
