import ASCII

// The language for a reader. The content of a request may be hostile: it is read as bytes, only a bounded part of it is
// read, and none of it is kept or shown.
extension PageLanguage {
    /// How much of `Accept-Language` is read, in bytes. Browsers send fewer than a hundred.
    static let maximumHeaderLength = 512

    /// The language that a reader chose on the page, else the one that their browser asks for, else ``fallback``.
    ///
    /// - Parameters:
    ///   - query: the query of the address, without its question mark.
    ///   - acceptLanguage: the value of the header field.
    package init(query: Span<UInt8>, acceptLanguage: Span<UInt8>) {
        self = Self(chosenIn: query) ?? Self(acceptLanguage: acceptLanguage) ?? .fallback
    }

    /// - Parameter target: the target of the request, with its query.
    package init(target: Span<UInt8>, acceptLanguage: Span<UInt8>) {
        var rest = target.indices
        _ = target.next(UInt8(ascii: "?"), in: &rest)
        self.init(query: target.extracting(rest), acceptLanguage: acceptLanguage)
    }

    /// The language that the first member `lang` of a query names; `nil` if it names none of these.
    package init?(chosenIn query: Span<UInt8>) {
        var rest = query.indices
        while let member = query.next(UInt8(ascii: "&"), in: &rest) {
            guard query.begins("lang=", at: member) else { continue }
            let value = (member.lowerBound + 5)..<member.upperBound
            guard let language = Self(range: query.extracting(value)) else { return nil }
            self = language
            return
        }
        return nil
    }

    /// The preferred language (RFC 9110, 12.5.4), by look-up (RFC 4647, 3.4): `de-AT` is answered with `de`.
    ///
    /// Among equal weights the first counts. A range that is malformed or has a malformed weight is ignored, and so is
    /// `*`.
    /// - Returns: `nil` if the reader accepts none of these languages.
    package init?(acceptLanguage header: Span<UInt8>) {
        let isCut = header.count > Self.maximumHeaderLength
        let header = header.extracting(first: Self.maximumHeaderLength)
        var best: (language: PageLanguage, weight: Int)?
        var rest = header.indices
        while let element = header.next(UInt8(ascii: ","), in: &rest) {
            // The last element may be cut off.
            if isCut, rest.isEmpty { break }
            guard let wanted = Self.wanted(header.extracting(element)), wanted.weight > best?.weight ?? 0 else {
                continue
            }
            best = wanted
        }
        guard let best else { return nil }
        self = best.language
    }

    /// - Returns: `nil` if the element is malformed or names none of these languages. The weight is in thousandths.
    private static func wanted(_ element: Span<UInt8>) -> (language: PageLanguage, weight: Int)? {
        var rest = element.indices
        guard let range = element.next(UInt8(ascii: ";"), in: &rest),
            let language = PageLanguage(range: element.extracting(element.trimmed(range)))
        else { return nil }
        guard let parameter = element.next(UInt8(ascii: ";"), in: &rest) else { return (language, 1000) }
        let quality = element.extracting(element.trimmed(parameter))
        guard rest.isEmpty, quality.begins("q=", at: quality.indices) || quality.begins("Q=", at: quality.indices),
            let weight = weight(quality.extracting(2..<quality.count))
        else { return nil }
        return (language, weight)
    }

    /// The language of a range such as `de`, `de-AT` or `DE-Latn-CH-1996`: that of its first subtag.
    private init?(range: Span<UInt8>) {
        guard range.isLanguageRange, range.count == 2 || range[2] == UInt8(ascii: "-"),
            let language = Self.allCases.first(where: { range.namesLanguage($0.tag) })
        else { return nil }
        self = language
    }

    /// A number from 0 to 1 with at most three digits after the point (RFC 9110, 12.4.2), in thousandths.
    private static func weight(_ text: Span<UInt8>) -> Int? {
        guard (1...5).contains(text.count), text[0] == UInt8(ascii: "0") || text[0] == UInt8(ascii: "1"),
            text.count == 1 || text[1] == UInt8(ascii: ".")
        else { return nil }
        var weight = text[0] == UInt8(ascii: "1") ? 1000 : 0
        var (index, place) = (2, 100)
        while index < text.count {
            guard text[index] >= UInt8(ascii: "0"), text[index] <= UInt8(ascii: "9") else { return nil }
            weight += Int(text[index] - UInt8(ascii: "0")) * place
            (index, place) = (index + 1, place / 10)
        }
        return weight <= 1000 ? weight : nil
    }
}

extension Span<UInt8> {
    /// The part of `rest` up to the next `separator`, which is removed with it; `nil` if nothing is left.
    fileprivate func next(_ separator: UInt8, in rest: inout Range<Int>) -> Range<Int>? {
        guard !rest.isEmpty else { return nil }
        var end = rest.lowerBound
        while end < rest.upperBound, self[end] != separator { end += 1 }
        let part = rest.lowerBound..<end
        rest = Swift.min(end + 1, rest.upperBound)..<rest.upperBound
        return part
    }

    fileprivate func begins(_ text: StaticString, at range: Range<Int>) -> Bool {
        guard range.count >= text.utf8CodeUnitCount else { return false }
        for offset in 0..<text.utf8CodeUnitCount
        where self[range.lowerBound + offset] != text.utf8Start[offset] { return false }
        return true
    }

    /// `range` without the spaces and tabs around it.
    fileprivate func trimmed(_ range: Range<Int>) -> Range<Int> {
        var range = range
        while let first = range.first, isBlank(self[first]) { range.removeFirst() }
        while let last = range.last, isBlank(self[last]) { range.removeLast() }
        return range
    }

    private func isBlank(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }

    /// Whether it consists of subtags of 1 to 8 letters and digits (RFC 4647, 2.1), the first of at least two.
    fileprivate var isLanguageRange: Bool {
        guard count >= 2 else { return false }
        var length = 0
        for index in indices {
            if self[index].isLetterOrDigit {
                length += 1
            } else if self[index] == UInt8(ascii: "-"), length > 0 {
                length = 0
            } else {
                return false
            }
            guard length <= 8 else { return false }
        }
        return length > 0
    }

    /// Whether the first letters are those of `tag`, in any case.
    fileprivate func namesLanguage(_ tag: String) -> Bool {
        tag.utf8.enumerated().allSatisfy { self[$0.offset] | 0x20 == $0.element }
    }
}
