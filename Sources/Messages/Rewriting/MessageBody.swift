package import Identifiers

/// A mail's HTML or text with its links found. A recipient gets these bytes; only the URLs of links and the
/// placeholders of the service change in them.
package struct MessageBody: Sendable {
    /// Bytes of UTF-8.
    package static let maximumLength = 10 << 20
    /// As many as a tracking ID can distinguish.
    static let maximumLinks = 65_535

    package let part: BodyLink.Part
    /// Every link in it, rewritten or not, in the order of the bytes.
    package let links: [BodyLink]

    /// The first of its placeholders that cannot be replaced; it stays unchanged.
    package let placeholderFault: PlaceholderFault?
    /// Whether every rendering contains the address of a page.
    package let hasPlaceholder: Bool

    private let text: String
    /// The parts that change in renderings, in the order of the bytes.
    private let changes: [Change]
    /// The place of an image of the service; `nil` if it may get none.
    private let pixelPlace: Int?

    private struct Change {
        enum Kind {
            /// A marker for the service, which every rendering leaves out.
            case marker
            case placeholder
            case pixel
        }

        let kind: Kind
        let range: Range<Int>
    }

    /// Finds the links of a text, or of HTML.
    ///
    /// - Parameters:
    ///   - cache: a cache of bodies that were read under the same rules.
    ///   - target: makes a target of a URL, under the rules for the message.
    /// - Throws: if that would take too much time or memory for a mail.
    package init(
        _ text: String, _ part: BodyLink.Part, cache: LinkVerdictCache? = nil,
        target: @escaping (String) throws(TargetURLError) -> TargetURL
    ) throws(BodyError) {
        let bytes = text.utf8Span.span
        guard bytes.count <= Self.maximumLength else { throw .tooLong }
        let judgement = LinkClassification(target: target, cache: cache)
        let placeholders = bytes.withUnsafeBufferPointer { PreferencesPlaceholders($0) }
        self.part = part
        self.text = text
        placeholderFault = placeholders.fault
        hasPlaceholder = !placeholders.ranges.isEmpty
        var changes = placeholders.ranges.map { Change(kind: .placeholder, range: $0) }
        switch part {
        case .html:
            let finding = try bytes.withUnsafeBufferPointer { source throws(BodyError) in
                try HTMLLinkFinder.search(source, judgement: judgement)
            }
            links = finding.links.skipping(placeholders.ranges)
            changes += finding.markers.map { Change(kind: .marker, range: $0) }
            pixelPlace = finding.isAMP ? nil : finding.pixelPlace
        case .text:
            let finding = try bytes.withUnsafeBufferPointer { source throws(BodyError) in
                try TextLinkFinder.search(source, judgement: judgement)
            }
            links = finding.links.skipping(placeholders.ranges)
            changes += finding.markers.map { Change(kind: .marker, range: $0) }
            pixelPlace = nil
        }
        if hasPlaceholder { changes.sort { $0.range.lowerBound < $1.range.lowerBound } }
        self.changes = changes
    }

    /// The same bytes with their links judged again, under other rules.
    package func judgedAgain(
        target: @escaping (String) throws(TargetURLError) -> TargetURL
    ) throws(BodyError) -> MessageBody {
        try MessageBody(text, part, target: target)
    }

    /// The number of bytes given.
    package var length: Int { text.utf8.count }

    /// Whether a URL of `html` may contain a marker for the service. If none does, recipients who are not tracked get
    /// the given bytes, except for placeholders, and nothing must be parsed for them.
    package static func mayHaveMarker(_ html: String) -> Bool {
        var html = html
        return html.withUTF8 { $0.firstIndex(of: "notrack://", from: 0) != nil }
    }

    /// For recipients who are not tracked: the given bytes, without the markers for the service, and with the address
    /// of the common page in place of each placeholder.
    package func untracked(_ pages: PreferencesPages) -> Template {
        var template = Template(capacity: length)
        writeUntracked(pages, to: &template)
        return template
    }

    /// Writes what ``untracked(_:)`` returns.
    package func writeUntracked(_ pages: PreferencesPages, to output: inout some BodyOutput) {
        write(changes, to: &output) { change, output in
            if change.kind == .placeholder { output.append(pages, isTracked: false) }
        } link: { _, _ in
            false
        }
    }

    /// For recipients who are tracked.
    ///
    /// - Parameters:
    ///   - origin: the beginning of links.
    ///   - pages: the pages on which recipients see what is recorded about them.
    ///   - hasPixel: whether HTML gets an image whose request counts as an opening, at its end. AMP never gets it: with an
    ///     `img` it would be invalid AMP, and would not be shown.
    ///   - index: the index of a link for its tracking IDs; `nil` for one that stays unchanged.
    package func tracked(
        origin: PublicOrigin, _ pages: PreferencesPages, hasPixel: Bool, index: (BodyLink) -> LinkIndex?
    ) -> Template {
        var template = Template(capacity: length)
        writeTracked(origin: origin, pages, hasPixel: hasPixel, to: &template, index: index)
        return template
    }

    /// Writes what ``tracked(origin:_:hasPixel:index:)`` returns.
    package func writeTracked(
        origin: PublicOrigin, _ pages: PreferencesPages, hasPixel: Bool, to output: inout some BodyOutput,
        index: (BodyLink) -> LinkIndex?
    ) {
        var changes = changes
        if hasPixel, let position = pixelPlace {
            let place = changes.firstIndex { $0.range.lowerBound >= position } ?? changes.endIndex
            changes.insert(Change(kind: .pixel, range: position..<position), at: place)
        }
        let linkStart = PublicPath.link.start(at: origin)
        write(changes, to: &output) { change, output in
            switch change.kind {
            case .marker: break
            case .placeholder: output.append(pages, isTracked: true)
            case .pixel: output.appendPixel(origin)
            }
        } link: { link, output in
            guard let index = index(link) else { return false }
            output.append(linkStart)
            output.append(.trackingID(index))
            return true
        }
    }

    /// - Parameters:
    ///   - changes: the changes in the order of the bytes.
    ///   - change: writes the replacement of a change.
    ///   - link: writes the replacement of a link; returns `false` to leave it unchanged.
    private func write<Output: BodyOutput>(
        _ changes: [Change], to output: inout Output, change write: (Change, inout Output) -> Void,
        link: (BodyLink, inout Output) -> Bool
    ) {
        text.utf8Span.span.withUnsafeBufferPointer { bytes in
            var start = 0
            var changes = changes[...]
            /// Copies the bytes before `end`, with the changes among them.
            func copy(to end: Int, _ output: inout Output) {
                while let change = changes.first, change.range.upperBound <= end {
                    output.append(UnsafeBufferPointer(rebasing: bytes[start..<change.range.lowerBound]))
                    write(change, &output)
                    start = change.range.upperBound
                    changes.removeFirst()
                }
                output.append(UnsafeBufferPointer(rebasing: bytes[start..<end]))
                start = end
            }
            for found in links where found.target != nil {
                copy(to: found.range.lowerBound, &output)
                if link(found, &output) { start = found.range.upperBound }
            }
            copy(to: bytes.count, &output)
        }
    }
}

extension [BodyLink] {
    /// The links, in order; those that contain a placeholder of the service stay unchanged.
    fileprivate func skipping(_ placeholders: [Range<Int>]) -> [BodyLink] {
        guard !placeholders.isEmpty else { return self }
        var rest = placeholders[...]
        return map { link in
            while let first = rest.first, first.upperBound <= link.range.lowerBound { rest.removeFirst() }
            guard let next = rest.first, next.overlaps(link.range), link.reason != .optedOut else { return link }
            return BodyLink(
                part: link.part, range: link.range, line: link.line, url: link.url, label: link.label,
                verdict: .skipped(.placeholder))
        }
    }
}

extension BodyOutput {
    fileprivate mutating func appendPixel(_ origin: PublicOrigin) {
        append("<img src=\"\(PublicPath.openPixel.start(at: origin))")
        append(.trackingID(.message))
        append(".gif\" width=\"1\" height=\"1\" alt=\"\">")
    }
}
