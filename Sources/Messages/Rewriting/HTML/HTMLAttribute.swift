import CGumbo

/// An attribute's value as a parser reads it, and its place in the source.
struct HTMLAttribute {
    private let attribute: HTMLTag.Attribute
    private let source: UnsafeBufferPointer<UInt8>

    init(_ attribute: HTMLTag.Attribute, source: UnsafeBufferPointer<UInt8>) {
        self.attribute = attribute
        self.source = source
    }

    /// Whether its value is written between quotes.
    var isQuoted: Bool { attribute.quote != nil }

    /// The value with its character references decoded. Each read decodes it.
    var value: String {
        String(decoding: Self.decoded(source[attribute.value], quote: attribute.quote) ?? [], as: UTF8.self)
    }

    /// The URL in the value, and the bytes that mean it and nothing else, so that other bytes can replace them; `nil`
    /// if there are none.
    ///
    /// A URL in an attribute may have white space around it (HTML, "valid URL potentially surrounded by spaces"). Where
    /// references mean white space, too, the bytes without white space around them must read as the URL again.
    var url: (text: String, range: Range<Int>?) {
        var value = value
        let url =
            value.withUTF8 { bytes in
                let trimmed = bytes.trimmed(0..<bytes.count)
                return trimmed.count < bytes.count ? String(decoding: bytes[trimmed], as: UTF8.self) : nil
            } ?? value
        let written = source.trimmed(attribute.value)
        guard !written.isEmpty else { return (url, nil) }
        if url.utf8.count == value.utf8.count { return (url, written) }
        let read = Self.decoded(source[written], quote: attribute.quote)
        return (url, read?.elementsEqual(url.utf8) == true ? written : nil)
    }

    /// The value that a parser reads from `bytes` in an attribute; `nil` if it would read something else than one
    /// value.
    private static func decoded(_ bytes: Slice<UnsafeBufferPointer<UInt8>>, quote: UInt8?) -> [UInt8]? {
        if let plain = CharacterReferences.decoded(UnsafeBufferPointer(rebasing: bytes)) { return plain }
        let quote = quote.map { [$0] } ?? []
        let markup = Array("<a href=".utf8) + quote + bytes + quote + Array(" >".utf8)
        return markup.withUnsafeBufferPointer { source in
            var values: [String] = []
            let document = HTMLDocument(source)
            document.visit { item in
                guard case .element(let element) = item, element.tag == GUMBO_TAG_A,
                    let value = element.parsedValue(of: "href")
                else { return }
                values.append(value)
            }
            return values.count == 1 ? Array(values[0].utf8) : nil
        }
    }
}

extension UnsafeBufferPointer<UInt8> {
    /// `range` without the white space of HTML at its ends.
    func trimmed(_ range: Range<Int>) -> Range<Int> {
        var range = range
        while let first = range.first, self[first].isHTMLSpace { range.removeFirst() }
        while let last = range.last, self[last].isHTMLSpace { range.removeLast() }
        return range
    }
}

extension UInt8 {
    var isHTMLSpace: Bool {
        switch self {
        case 0x20, 0x09, 0x0A, 0x0C, 0x0D: true
        default: false
        }
    }
}
