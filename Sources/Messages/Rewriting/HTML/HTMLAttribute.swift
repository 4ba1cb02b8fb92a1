import CGumbo

/// An attribute's value as a parser reads it, and its place in the source.
struct HTMLAttribute {
    private enum Reading {
        case parsed(GumboAttribute)
        /// The value is written there, without the quotes.
        case written(Range<Int>)
    }

    private let reading: Reading
    /// The place of the value in the source: between the quotes if there are any, without white space at either end.
    private let written: Range<Int>?
    private let quote: UInt8?
    private let source: UnsafeBufferPointer<UInt8>

    init(_ attribute: GumboAttribute, source: UnsafeBufferPointer<UInt8>) {
        reading = .parsed(attribute)
        self.source = source
        guard let range = source.range(of: attribute.original_value), let first = range.first else {
            written = nil
            quote = nil
            return
        }
        let isQuoted = source[first] == UInt8(ascii: "\"") || source[first] == UInt8(ascii: "'")
        quote = isQuoted ? source[first] : nil
        if isQuoted, range.count >= 2, source[range.upperBound - 1] == source[first] {
            written = source.trimmed(first + 1..<range.upperBound - 1)
        } else {
            written = isQuoted ? nil : source.trimmed(range)
        }
    }

    init(_ attribute: HTMLTag.Attribute, source: UnsafeBufferPointer<UInt8>) {
        reading = .written(attribute.value)
        quote = attribute.quote
        written = source.trimmed(attribute.value)
        self.source = source
    }

    /// The value with its character references decoded. Each read decodes or copies it.
    var value: String {
        switch reading {
        case .parsed(let attribute): attribute.value.map { String(cString: $0) } ?? ""
        case .written(let range): String(decoding: Self.decoded(source[range], quote: quote) ?? [], as: UTF8.self)
        }
    }

    /// The first byte of ``url``, if there is one; costs nothing.
    var start: Int? { written.flatMap { $0.isEmpty ? nil : $0.lowerBound } }

    /// The URL in the value, and the bytes that mean it and nothing else, so that other bytes can replace them; `nil`
    /// if there are none.
    ///
    /// A URL in an attribute may have white space around it (HTML, "valid URL potentially surrounded by spaces"). The
    /// place that the parser reports is not enough: the bytes there must read as the URL again.
    var url: (text: String, range: Range<Int>?) {
        var value = value
        let url = value.withUTF8 { String(decoding: $0[$0.trimmed(0..<$0.count)], as: UTF8.self) }
        guard let written, !written.isEmpty else { return (url, nil) }
        if case .written(written) = reading, url.utf8.count == value.utf8.count { return (url, written) }
        let read = Self.decoded(source[written], quote: quote)
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
                    let value = element.attribute("href")?.value
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
