import ASCII

/// A host in a spelling that can be compared: lower case, no dot at the end, an IPv6 address as in RFC 5952.
///
/// It accepts only spellings that every browser reads as the same host. It refuses percent-encoding, which browsers
/// decode first, and the odd forms of IPv4 addresses (`127.1`, `0x7f000001`), which they rewrite: another spelling of a
/// host that is not on a list of allowed hosts must not pass.
package struct TargetHost: Hashable, Sendable {
    /// The longest name in DNS.
    static let maximumLength = 253
    private static let maximumLabelLength = 63

    /// `shop.example`, `192.0.2.1`, `[2001:db8::1]`.
    package let text: String
    package let isAddress: Bool

    /// Whether it names the machine itself (RFC 6761, 6.3; RFC 1122, 3.2.1.3; RFC 4291, 2.5.3).
    var isLoopback: Bool {
        text == "localhost" || text.hasSuffix(".localhost") || text == "[::1]" || isAddress && text.hasPrefix("127.")
    }

    /// The IPv4 address that an IPv6 address such as `[::ffff:192.0.2.1]` means (RFC 4291, 2.5.5.2); any other host
    /// itself.
    var unmapped: TargetHost {
        let prefix = "[::ffff:"
        guard text.hasPrefix(prefix) else { return self }
        let groups = text.dropFirst(prefix.count).dropLast().split(separator: ":").compactMap { UInt16($0, radix: 16) }
        guard groups.count == 2 else { return self }
        let address = groups.map { "\($0 >> 8).\($0 & 255)" }.joined(separator: ".")
        return TargetHost(Array(address.utf8)[...]) ?? self
    }

    init?(_ bytes: ArraySlice<UInt8>) {
        if bytes.first == UInt8(ascii: "[") {
            guard let address = IPv6Address(bytes.dropFirst()) else { return nil }
            text = "[\(address)]"
            isAddress = true
        } else {
            guard let name = Self.name(bytes) else { return nil }
            text = name.text
            isAddress = name.isAddress
        }
    }

    /// Labels of letters, digits, hyphens and underscores. DNS answers for names with hyphens and underscores anywhere
    /// in a label, so people can be led there.
    private static func name(_ bytes: ArraySlice<UInt8>) -> (text: String, isAddress: Bool)? {
        var labels = bytes.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        if labels.count > 1, labels.last?.isEmpty == true { labels.removeLast() }
        guard labels.allSatisfy(isLabel), let last = labels.last else { return nil }
        let text = labels.map { String(decoding: $0, as: UTF8.self).lowercased() }.joined(separator: ".")
        guard text.utf8.count <= maximumLength else { return nil }
        guard isNumber(last) else { return (text, false) }
        return labels.count == 4 && labels.allSatisfy(isDecimalByte) ? (text, true) : nil
    }

    private static func isLabel(_ label: ArraySlice<UInt8>) -> Bool {
        (1...maximumLabelLength).contains(label.count)
            && label.allSatisfy {
                $0.isLetterOrDigit || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_")
            }
    }

    /// To a browser, a name whose last label is a number is an IPv4 address or invalid (WHATWG URL, 3.6).
    private static func isNumber(_ label: ArraySlice<UInt8>) -> Bool {
        let isHexadecimal = label.starts(with: "0x".utf8) || label.starts(with: "0X".utf8)
        return isHexadecimal ? label.dropFirst(2).allSatisfy(\.isHexDigit) : label.allSatisfy(\.isDigit)
    }

    /// 0 to 255 without a leading zero, which some programs read as octal.
    private static func isDecimalByte(_ label: ArraySlice<UInt8>) -> Bool {
        guard label.allSatisfy(\.isDigit), label.count == 1 || label.first != UInt8(ascii: "0") else { return false }
        return UInt8(String(decoding: label, as: UTF8.self)) != nil
    }
}
