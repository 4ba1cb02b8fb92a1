import ASCII

/// Finds the URLs in a plain text.
enum TextLinkFinder {
    /// The result, in the order of the text.
    struct Finding {
        var links: [BodyLink] = []
        /// Markers for the service, which every rendering leaves out.
        var markers: [Range<Int>] = []
    }

    /// Each byte of the text costs a fixed number of steps.
    static func search(
        _ source: some IndexedBytes, judgement: LinkClassification
    ) throws(BodyError) -> Finding {
        var finding = Finding()
        var lines = LineCounter(source)
        var position = 0
        while position < source.count {
            guard source[position].lowerCased == UInt8(ascii: "h"), let found = TextURL(source, at: position) else {
                position += 1
                continue
            }
            if let marker = found.marker { finding.markers.append(marker) }
            var link = Self.link(found, in: source, judgement: judgement)
            link.line = lines.line(of: position)
            finding.links.append(link)
            guard finding.links.count <= MessageBody.maximumLinks else { throw .tooManyLinks }
            position = found.range.upperBound
        }
        return finding
    }

    private static func link(
        _ found: TextURL, in source: some IndexedBytes, judgement: LinkClassification
    ) -> BodyLink {
        var url = Array(source[found.range])
        if let marker = found.marker {
            let start = marker.lowerBound - found.range.lowerBound
            url.removeSubrange(start..<start + marker.count)
        }
        let text = String(decoding: url, as: UTF8.self)
        let verdict: BodyLink.Verdict =
            if found.marker != nil {
                .skipped(.optedOut)
            } else if found.runsIntoPlaceholder {
                .skipped(.placeholder)
            } else {
                judgement.verdict(on: text)
            }
        return BodyLink(part: .text, range: found.range, line: 0, url: text, label: nil, verdict: verdict)
    }
}
