import CGumbo

/// An attribute's value as the parser read it, and where in the source it is written.
struct HTMLAttribute {
    /// With its character references decoded.
    let value: String
    /// What stands in the source for it: between the quotes if there are any, without white space at either end.
    private let written: Range<Int>?
    private let quote: UInt8?
    private let source: UnsafeBufferPointer<UInt8>

    init(_ attribute: GumboAttribute, source: UnsafeBufferPointer<UInt8>) {
        value = attribute.value.map { String(cString: $0) } ?? ""
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

    /// A URL in an attribute begins and ends where white space does not (HTML, "valid URL potentially surrounded by
    /// spaces").
    var url: String {
        let bytes = Array(value.utf8)
        return bytes.withUnsafeBufferPointer { String(decoding: $0[$0.trimmed(0..<$0.count)], as: UTF8.self) }
    }

    /// Where the bytes stand that mean ``url`` and nothing else, so that other bytes can take their place.
    ///
    /// The parser's word for it is not enough: what stands there must read as the value again. `nil` if it does not.
    var urlRange: Range<Int>? {
        guard let written, !written.isEmpty else { return nil }
        let bytes = Array(source[written])
        return Self.decoded(bytes, quote: quote).elementsEqual(url.utf8) ? written : nil
    }

    /// What a parser reads where `bytes` are written as the value of an attribute.
    private static func decoded(_ bytes: [UInt8], quote: UInt8?) -> [UInt8] {
        let isPlain = bytes.allSatisfy { $0 != UInt8(ascii: "&") && $0 != UInt8(ascii: "\r") && $0 != 0 }
        guard !isPlain else { return bytes }
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
            return values.count == 1 ? Array(values[0].utf8) : []
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
