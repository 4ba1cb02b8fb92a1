/// Finds the links of an HTML mail, including those that only Outlook reads.
struct HTMLLinkFinder {
    private let judgement: LinkClassification
    private let alwaysMakesTree: Bool
    private var budget = HTMLParseBudget()
    private var links: [BodyLink] = []
    /// The beginnings of links' tags in trees: a link that the parser duplicated counts once.
    private var starts: Set<Int> = []
    private var markers: [Range<Int>] = []
    private var endOfBody: Int?
    private var pixelPlace = PixelPlace()
    private var isAMP = false
    private var treeCount = 0
    private var decodingCount = 0

    /// The result, in the order of the source.
    struct Finding {
        let links: [BodyLink]
        /// Markers for the service in the URLs, which every rendering leaves out.
        let markers: [Range<Int>]
        /// Whether it is AMP, which allows no `img`.
        let isAMP: Bool
        /// The place of an image whose request counts as an opening.
        let pixelPlace: Int
        /// How many trees were made: of the document, and of each comment that Outlook reads.
        let treeCount: Int
        /// How many URLs were decoded: one for each link.
        let decodingCount: Int
    }

    /// - Parameter alwaysMakesTree: whether to make a tree even of documents whose markup alone shows the links.
    static func search(
        _ source: UnsafeBufferPointer<UInt8>, judgement: LinkClassification, alwaysMakesTree: Bool = false
    ) throws(BodyError) -> Finding {
        var finder = HTMLLinkFinder(judgement: judgement, alwaysMakesTree: alwaysMakesTree)
        let comments = try finder.read(source, from: 0)
        for comment in comments {
            guard let content = ConditionalComment.content(source, in: comment) else { continue }
            // A comment inside this comment is not shown.
            _ = try finder.read(UnsafeBufferPointer(rebasing: source[content]), from: content.lowerBound)
        }
        var lines = LineCounter(source)
        var links = finder.links
        links.sort { $0.range.lowerBound < $1.range.lowerBound }
        for index in links.indices { links[index].line = lines.line(of: links[index].range.lowerBound) }
        return Finding(
            links: links, markers: finder.markers.sorted { $0.lowerBound < $1.lowerBound }, isAMP: finder.isAMP,
            pixelPlace: finder.placeOfPixel(outside: links, end: source.count), treeCount: finder.treeCount,
            decodingCount: finder.decodingCount)
    }

    private func placeOfPixel(outside links: [BodyLink], end: Int) -> Int {
        let place = pixelPlace.place(endOfBody: endOfBody, end: end)
        // The tree and the markup alone could differ about where a tag of broken markup is.
        let isInLink = links.contains { $0.range.lowerBound < place && place < $0.range.upperBound }
        return isInLink ? endOfBody ?? end : place
    }

    private init(judgement: LinkClassification, alwaysMakesTree: Bool) {
        self.judgement = judgement
        self.alwaysMakesTree = alwaysMakesTree
    }

    /// - Parameter offset: the place of `source` in the mail.
    /// - Returns: the comments in it.
    private mutating func read(
        _ source: UnsafeBufferPointer<UInt8>, from offset: Int
    ) throws(BodyError) -> [Range<Int>] {
        let markup = try budget.admit(source)
        if offset == 0 {
            isAMP = markup.isAMP
            pixelPlace = markup.pixelPlace
        }
        if !markup.needsTree, !alwaysMakesTree {
            if offset == 0 { endOfBody = markup.endOfBody }
            for tag in markup.tags { try take(WrittenElement(tag, source: source), in: source, from: offset) }
            return markup.comments
        }
        var comments: [Range<Int>] = []
        treeCount += 1
        let document = HTMLDocument(source)
        try document.visit { item throws(BodyError) in
            switch item {
            case .comment(let range): comments.append(range)
            case .element(let element):
                if offset == 0, let end = element.endOfBody { endOfBody = end }
                // A parser copies formatting that was left open, once for every block after it: a known link must cost
                // no more than this check.
                guard element.isLink, let start = element.start, starts.insert(start + offset).inserted,
                    let link = element.written
                else { return }
                try take(link, in: source, from: offset)
            }
        }
        return comments
    }

    private mutating func take(
        _ element: WrittenElement, in source: UnsafeBufferPointer<UInt8>, from offset: Int
    ) throws(BodyError) {
        guard let href = element.attribute("href") else { return }
        decodingCount += 1
        var (url, written) = href.url
        let marker = written.flatMap { Self.marker(source, in: $0) }
        if let marker, let written {
            markers.append(marker.lowerBound + offset..<marker.upperBound + offset)
            let start = marker.lowerBound - written.lowerBound
            var bytes = Array(url.utf8)
            bytes.removeSubrange(start..<start + "+notrack".utf8.count)
            url = String(decoding: bytes, as: UTF8.self)
        }
        let range = written.map { $0.lowerBound + offset..<$0.upperBound + offset }
        let linkRange = range ?? (element.start + offset..<element.start + offset)
        links.append(
            BodyLink(
                part: .html, range: linkRange, line: 0, url: url, label: Self.label(of: element),
                verdict: marker == nil
                    ? verdict(on: url, of: element, isInSource: range != nil) : .skipped(.optedOut)))
        guard links.count <= MessageBody.maximumLinks else { throw .tooManyLinks }
    }

    /// The place of `+notrack` in a URL that has more than a scheme. Templates for HTML write the plus sign as a
    /// character reference.
    private static func marker(_ source: UnsafeBufferPointer<UInt8>, in url: Range<Int>) -> Range<Int>? {
        let marker = source.optOutMarker(at: url.lowerBound) { CharacterReferences.endOfPlus(in: source, at: $0) }
        return marker.flatMap { url.upperBound > $0.upperBound + 3 ? $0 : nil }
    }

    private func verdict(on url: String, of element: WrittenElement, isInSource: Bool) -> BodyLink.Verdict {
        if TrackingOptOut.isAsked(by: element) { return .skipped(.optedOut) }
        let verdict = judgement.verdict(on: url)
        guard case .rewritten = verdict else { return verdict }
        if element.isInNoscript { return .skipped(.noscript) }
        return isInSource ? verdict : .skipped(.notFoundInSource)
    }

    /// Labels that are longer than a report shows, or have control characters, are ignored.
    private static func label(of element: WrittenElement) -> String? {
        guard let label = element.attribute("data-consentlink-label")?.value, (1...256).contains(label.utf8.count),
            !label.unicodeScalars.contains(where: { $0.properties.generalCategory == .control })
        else { return nil }
        return label
    }
}
