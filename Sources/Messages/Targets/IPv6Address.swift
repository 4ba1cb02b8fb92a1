import ASCII

/// An IPv6 address from between the brackets of a URL (RFC 3986, 3.2.2), without a zone.
struct IPv6Address: Hashable, CustomStringConvertible {
    private let groups: [UInt16]

    /// - Parameter bytes: the address and the closing bracket.
    init?(_ bytes: ArraySlice<UInt8>) {
        guard bytes.last == UInt8(ascii: "]") else { return nil }
        let text = String(decoding: bytes.dropLast(), as: UTF8.self)
        guard let gap = text.firstRange(of: "::") else {
            guard let groups = Self.groups(in: text[...], mayEndInIPv4: true), groups.count == 8 else { return nil }
            self.groups = groups
            return
        }
        guard let head = Self.groups(in: text[..<gap.lowerBound], mayEndInIPv4: false),
            let tail = Self.groups(in: text[gap.upperBound...], mayEndInIPv4: true), head.count + tail.count < 8
        else { return nil }
        groups = head + Array(repeating: 0, count: 8 - head.count - tail.count) + tail
    }

    private static func groups(in text: Substring, mayEndInIPv4: Bool) -> [UInt16]? {
        guard !text.isEmpty else { return [] }
        let pieces = text.split(separator: ":", omittingEmptySubsequences: false)
        var groups: [UInt16] = []
        for (index, piece) in pieces.enumerated() {
            if index == pieces.count - 1, mayEndInIPv4, piece.contains(".") {
                guard let pair = ipv4(piece) else { return nil }
                groups += pair
            } else {
                guard (1...4).contains(piece.utf8.count), piece.utf8.allSatisfy(\.isHexDigit),
                    let group = UInt16(piece, radix: 16)
                else { return nil }
                groups.append(group)
            }
        }
        return groups
    }

    /// The last 32 bits in dotted decimals.
    private static func ipv4(_ text: Substring) -> [UInt16]? {
        guard let host = TargetHost(Array(text.utf8)[...]), host.isAddress, host.text == text else { return nil }
        let bytes = text.split(separator: ".").compactMap { UInt16($0) }
        return [bytes[0] << 8 | bytes[1], bytes[2] << 8 | bytes[3]]
    }

    /// RFC 5952: lower case, no leading zeros, the first of the longest runs of two zeros or more as `::`.
    var description: String {
        var longest = 0..<0
        var start = 0
        for end in 1...8 where end == 8 || groups[end] != 0 || groups[start] != 0 {
            if groups[start] == 0, end - start > max(longest.count, 1) { longest = start..<end }
            start = end
        }
        guard !longest.isEmpty else { return Self.text(groups[...]) }
        return "\(Self.text(groups[..<longest.lowerBound]))::\(Self.text(groups[longest.upperBound...]))"
    }

    private static func text(_ groups: ArraySlice<UInt16>) -> String {
        groups.map { String($0, radix: 16) }.joined(separator: ":")
    }
}
