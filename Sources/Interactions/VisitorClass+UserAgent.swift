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

    /// What does not say what it is: every browser does.
    package static let ofNobody = VisitorClass.crawler

    /// - Parameter userAgent: the header's value. Only the first 512 bytes are looked at: a longer user agent is not a
    ///   better one.
    package init(userAgent: Span<UInt8>) {
        guard !userAgent.isEmpty else {
            self = .ofNobody
            return
        }
        let word = Self.automaton.firstWord(in: userAgent.extracting(first: 512))
        self = word.map { Self.marks[$0].visitor } ?? .person
    }

    private static let automaton = AhoCorasick(words: marks.map { Array($0.word.utf8) })
}
