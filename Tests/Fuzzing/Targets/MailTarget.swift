import Identifiers
import Messages

struct MailHTMLTarget: FuzzTarget {
    static let name = "mail-html"

    private let mail: Mail

    init() throws { mail = try Mail(.html, origin: Samples.ownOrigin()) }

    func hold(_ input: [UInt8]) throws -> Bool { try mail.hold(input) }
}

struct MailTextTarget: FuzzTarget {
    static let name = "mail-text"

    private let mail: Mail

    init() throws { mail = try Mail(.text, origin: Samples.ownOrigin()) }

    func hold(_ input: [UInt8]) throws -> Bool { try mail.hold(input) }
}

/// Nothing but the URLs of links and the service's placeholders changes in a mail, and for those who are not tracked
/// the links stay.
private struct Mail {
    private let part: BodyLink.Part
    private let origin: PublicOrigin
    private let pages: PreferencesPages
    private let token = [UInt8]("AQHTo0ZAAAEzsuehwE8dKp88UdB74mSKzF5fVKpOWTEyQxeDpYRF6g".utf8)

    init(_ part: BodyLink.Part, origin: PublicOrigin) throws {
        self.part = part
        self.origin = origin
        pages = PreferencesPages(origin: origin, organization: try OrganizationID("acme"))
    }

    func hold(_ input: [UInt8]) throws -> Bool {
        guard let text = String(validating: input, as: UTF8.self),
            let body = try? MessageBody(text, part, target: TargetURL.init(stored:))
        else { return false }
        try holdRanges(of: body.links, in: input)
        let placeholders = PreferencesPlaceholders(text).ranges
        let untracked = rendered(body.untracked(pages))
        try demand(
            untracked == expected(body, input, placeholders, page: Array(pages.common.utf8), link: nil),
            "an untracked mail is changed")
        try demand(placeholders.isEmpty == !body.hasPlaceholder, "a placeholder is found in one way of two")
        if part == .html, placeholders.isEmpty, body.links.allSatisfy({ marker(of: $0, in: input) == nil }) {
            try demand(untracked == input, "untracked HTML is not the bytes that came")
        }
        try demand(
            body.placeholderFault != nil || !holdsName(untracked), "a placeholder reaches its reader as it is")
        // Every third link stays as it is, as one does that was not found when the message was stored.
        var count = 0
        let tracked = rendered(
            body.tracked(origin: origin, pages, hasPixel: false) { _ in
                count += 1
                return count.isMultiple(of: 3) ? nil : LinkIndex(rawValue: UInt16(count))
            })
        let link = Array("\(origin.text)/r/".utf8) + token
        let page = Array(pages.ownPrefix.utf8) + token
        try demand(
            tracked == expected(body, input, placeholders, page: page, link: link),
            "a tracked mail differs in more than its links")
        try holdPixel(of: body, tracked)
        return body.links.contains { $0.target != nil }
    }

    private func holdRanges(of links: [BodyLink], in input: [UInt8]) throws {
        var end = 0
        for link in links {
            try demand(link.part == part, "a link is in another body")
            try demand(link.range.lowerBound >= end && link.range.upperBound <= input.count, "links overlap")
            end = link.range.upperBound
            let lines = input[..<link.range.lowerBound].count { $0 == UInt8(ascii: "\n") } + 1
            try demand(link.line == lines, "a link is on another line")
            if let target = link.target {
                try demand(!link.range.isEmpty && target.text == link.url, "a target is not the URL that was found")
            }
        }
    }

    /// The mail with `link` in the place of the links that get one, `page` in that of placeholders, and without the
    /// markers of links that opted out.
    private func expected(
        _ body: MessageBody, _ input: [UInt8], _ placeholders: [Range<Int>], page: [UInt8], link: [UInt8]?
    ) -> [UInt8] {
        var changes = placeholders.map { (range: $0, bytes: page) }
        var count = 0
        for found in body.links {
            if found.target != nil { count += 1 }
            if let link, found.target != nil, !count.isMultiple(of: 3) {
                changes.append((found.range, link))
            } else if let marker = marker(of: found, in: input) {
                changes.append((marker, []))
            }
        }
        var result: [UInt8] = []
        var end = 0
        for change in changes.sorted(by: { $0.range.lowerBound < $1.range.lowerBound }) {
            result += input[end..<change.range.lowerBound] + change.bytes
            end = change.range.upperBound
        }
        return result + input[end...]
    }

    /// Where `+notrack` stands in the scheme of a link; `nil` where it does not, and where nothing follows the scheme. In
    /// HTML the plus sign may be a character reference.
    private func marker(of link: BodyLink, in input: [UInt8]) -> Range<Int>? {
        let written = String(decoding: input[link.range], as: UTF8.self).lowercased()
        guard link.verdict == .skipped(.optedOut) else { return nil }
        for scheme in ["http", "https"] {
            for plus in part == .html ? ["+", "&#43;", "&#x2b;", "&plus;"] : ["+"] {
                let beginning = "\(scheme)\(plus)notrack://"
                guard written.hasPrefix(beginning), part == .text || written.utf8.count > beginning.utf8.count else {
                    continue
                }
                let start = link.range.lowerBound + scheme.utf8.count
                return start..<start + "\(plus)notrack".utf8.count
            }
        }
        return nil
    }

    private func holdsName(_ text: [UInt8]) -> Bool {
        let lowered = text.map { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) ? $0 | 0x20 : $0 }
        return lowered.contains("consentlink.preferences".utf8)
    }

    private func holdPixel(of body: MessageBody, _ tracked: [UInt8]) throws {
        let pixel =
            Array("<img src=\"\(origin.text)/o/".utf8) + token + Array(".gif\" width=\"1\" height=\"1\" alt=\"\">".utf8)
        var count = 0
        let withPixel = rendered(
            body.tracked(origin: origin, pages, hasPixel: true) { _ in
                count += 1
                return count.isMultiple(of: 3) ? nil : LinkIndex(rawValue: UInt16(count))
            })
        let isAMP = tracked.contains("4email".utf8)
        try demand(
            withPixel.count == tracked.count + (part == .html ? pixel.count : 0) || isAMP && withPixel == tracked,
            "a mail has another pixel than it should")
        try demand(withPixel.replacing(pixel, with: []) == tracked, "a pixel changes more of a mail")
    }

    private func rendered(_ template: Template) -> [UInt8] {
        var output: [UInt8] = []
        template.render(into: &output) { _, output in output += token }
        return output
    }
}
