package import Identifiers

/// A mail's HTML or text with its links found: what a recipient gets is these bytes, and nothing but the URLs of links
/// changes in them.
package struct MessageBody: Sendable {
    /// Bytes of UTF-8.
    package static let maximumLength = 10 << 20
    /// As many as a tracking ID can tell apart.
    package static let maximumLinks = 65_535

    package let part: BodyLink.Part
    /// Every link in it, rewritten or not, in the order of the bytes.
    package let links: [BodyLink]

    private let bytes: [UInt8]
    /// Ranges that are left out of every rendering.
    private let markers: [Range<Int>]
    private let endOfBody: Int?

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
        self.part = part
        self.bytes = bytes
        switch part {
        case .html:
            let finding = try bytes.withUnsafeBufferPointer { source throws(BodyError) in
                try HTMLLinkFinder.search(source, judgement: judgement)
            }
            links = finding.links
            markers = []
            endOfBody = finding.endOfBody
        case .text:
            let finding = try bytes.withUnsafeBufferPointer { source throws(BodyError) in
                try TextLinkFinder.search(source, judgement: judgement)
            }
            links = finding.links
            markers = finding.markers
            endOfBody = nil
        }
    }

    /// Bytes that came in.
    package var length: Int { bytes.count }

    /// For those who are not tracked: what came in, without the markers of a text.
    package var untracked: Template { template { _, _ in false } }

    /// For those who are tracked.
    ///
    /// - Parameters:
    ///   - origin: what links begin with.
    ///   - hasPixel: whether HTML ends with an image that tells when it is fetched.
    ///   - index: under which index a link's tracking IDs are; `nil` for one that stays as it is.
    package func tracked(
        origin: PublicOrigin, hasPixel: Bool, index: (BodyLink) -> LinkIndex?
    ) -> Template {
        template(pixel: hasPixel && part == .html ? origin : nil) { link, template in
            guard let index = index(link) else { return false }
            template.append("\(origin.text)/r/".utf8)
            template.append(.trackingID(index))
            return true
        }
    }

    /// - Parameter write: writes what takes a link's place; `false` to leave it as it is.
    private func template(
        pixel origin: PublicOrigin? = nil, write: (BodyLink, inout Template) -> Bool
    ) -> Template {
        var template = Template(capacity: bytes.count)
        var start = 0
        var markers = markers[...]
        var pixelPosition = origin == nil ? nil : endOfBody ?? bytes.count
        /// Copies what stands before `end`, with what is to be left out or put in on the way.
        func copy(to end: Int, _ template: inout Template) {
            while let marker = markers.first, marker.upperBound <= end {
                template.append(bytes[start..<marker.lowerBound])
                start = marker.upperBound
                markers.removeFirst()
            }
            if let position = pixelPosition, position <= end, let origin {
                template.append(bytes[start..<position])
                template.appendPixel(origin)
                start = position
                pixelPosition = nil
            }
            template.append(bytes[start..<end])
            start = end
        }
        for link in links where link.target != nil {
            copy(to: link.range.lowerBound, &template)
            if write(link, &template) { start = link.range.upperBound }
        }
        copy(to: bytes.count, &template)
        return template
    }
}

extension Template {
    fileprivate mutating func appendPixel(_ origin: PublicOrigin) {
        append("<img src=\"\(origin.text)/o/".utf8)
        append(.trackingID(.message))
        append(".gif\" width=\"1\" height=\"1\" alt=\"\">".utf8)
    }
}
