package import Identifiers

/// A mail's HTML or text with its links found: what a recipient gets is these bytes, and nothing but the URLs of links
/// and the placeholders of the service changes in them.
package struct MessageBody: Sendable {
    /// Bytes of UTF-8.
    package static let maximumLength = 10 << 20
    /// As many as a tracking ID can tell apart.
    static let maximumLinks = 65_535

    package let part: BodyLink.Part
    /// Every link in it, rewritten or not, in the order of the bytes.
    package let links: [BodyLink]

    /// The first of its placeholders that cannot be replaced; it stays as it is.
    package let placeholderFault: PlaceholderFault?
    /// Whether the address of a page stands in every rendering.
    package let hasPlaceholder: Bool

    private let bytes: [UInt8]
    /// What every rendering has otherwise than it came in, in the order of the bytes.
    private let changes: [Change]
    private let endOfBody: Int?
    /// Whether it may have an image of the service.
    private let takesPixel: Bool

    private struct Change {
        enum Kind {
            /// A marker for the service, which is left out.
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
    ///   - cache: of bodies that were read under the same rules.
    ///   - target: makes a target of a URL, under the rules that hold for the message.
    /// - Throws: when that would take more time or memory than a mail is worth.
    package init(
        _ text: String, _ part: BodyLink.Part, cache: LinkVerdictCache? = nil,
        target: @escaping (String) throws(TargetURLError) -> TargetURL
    ) throws(BodyError) {
        let bytes = Array(text.utf8)
        guard bytes.count <= Self.maximumLength else { throw .tooLong }
        let judgement = LinkClassification(target: target, cache: cache)
        let placeholders = bytes.withUnsafeBufferPointer { PreferencesPlaceholders($0) }
        self.part = part
        self.bytes = bytes
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
            endOfBody = finding.endOfBody
            takesPixel = !finding.isAMP
        case .text:
            let finding = try bytes.withUnsafeBufferPointer { source throws(BodyError) in
                try TextLinkFinder.search(source, judgement: judgement)
            }
            links = finding.links.skipping(placeholders.ranges)
            changes += finding.markers.map { Change(kind: .marker, range: $0) }
            endOfBody = nil
            takesPixel = false
        }
        if hasPlaceholder { changes.sort { $0.range.lowerBound < $1.range.lowerBound } }
        self.changes = changes
    }

    /// Bytes that came in.
    package var length: Int { bytes.count }

    /// Whether a marker for the service may stand in a URL of `html`. Where none does, those who are not tracked get what
    /// came in, but for placeholders, and nothing need be parsed for them.
    package static func mayHaveMarker(_ html: String) -> Bool {
        var html = html
        return html.withUTF8 { $0.firstIndex(of: "+notrack", from: 0) != nil }
    }

    /// For those who are not tracked: what came in, without the markers for the service, and with the address of the common
    /// page in the place of each placeholder.
    package func untracked(_ pages: PreferencesPages) -> Template {
        template(changes) { change, template in
            if change.kind == .placeholder { template.append(pages, isTracked: false) }
        } link: { _, _ in
            false
        }
    }

    /// For those who are tracked.
    ///
    /// - Parameters:
    ///   - origin: what links begin with.
    ///   - pages: where recipients see what is recorded about them.
    ///   - hasPixel: whether HTML ends with an image that tells when it is fetched. AMP never does: with an `img` it
    ///     would be no valid AMP, and is not shown.
    ///   - index: under which index a link's tracking IDs are; `nil` for one that stays as it is.
    package func tracked(
        origin: PublicOrigin, _ pages: PreferencesPages, hasPixel: Bool, index: (BodyLink) -> LinkIndex?
    ) -> Template {
        var changes = changes
        if hasPixel, takesPixel {
            let position = endOfBody ?? bytes.count
            let place = changes.firstIndex { $0.range.lowerBound >= position } ?? changes.endIndex
            changes.insert(Change(kind: .pixel, range: position..<position), at: place)
        }
        return template(changes) { change, template in
            switch change.kind {
            case .marker: break
            case .placeholder: template.append(pages, isTracked: true)
            case .pixel: template.appendPixel(origin)
            }
        } link: { link, template in
            guard let index = index(link) else { return false }
            template.append("\(origin.text)/r/".utf8)
            template.append(.trackingID(index))
            return true
        }
    }

    /// - Parameters:
    ///   - changes: in the order of the bytes.
    ///   - change: writes what takes the place of a change.
    ///   - link: writes what takes a link's place; `false` to leave it as it is.
    private func template(
        _ changes: [Change], change write: (Change, inout Template) -> Void, link: (BodyLink, inout Template) -> Bool
    ) -> Template {
        var template = Template(capacity: bytes.count)
        var start = 0
        var changes = changes[...]
        /// Copies what stands before `end`, with what changes on the way.
        func copy(to end: Int, _ template: inout Template) {
            while let change = changes.first, change.range.upperBound <= end {
                template.append(bytes[start..<change.range.lowerBound])
                write(change, &template)
                start = change.range.upperBound
                changes.removeFirst()
            }
            template.append(bytes[start..<end])
            start = end
        }
        for found in links where found.target != nil {
            copy(to: found.range.lowerBound, &template)
            if link(found, &template) { start = found.range.upperBound }
        }
        copy(to: bytes.count, &template)
        return template
    }
}

extension [BodyLink] {
    /// The links, in order, with those left as they are in which a placeholder of the service stands.
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

extension Template {
    fileprivate mutating func appendPixel(_ origin: PublicOrigin) {
        append("<img src=\"\(origin.text)/o/".utf8)
        append(.trackingID(.message))
        append(".gif\" width=\"1\" height=\"1\" alt=\"\">".utf8)
    }
}
