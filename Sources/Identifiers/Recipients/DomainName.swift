import ASCII
import CUnicode

/// The part of an address after the `@`.
enum DomainName {
    private static let dot = UInt8(ascii: ".")
    private static let hyphen = UInt8(ascii: "-")
    private static let encodedPrefix = Array("xn--".utf8)
    private static let maximumLabelLength = 63

    /// In ASCII and lower case; `nil` if it is not a domain name (RFC 5321, 4.1.2; RFC 5891).
    static func comparisonForm(of bytes: ArraySlice<UInt8>) -> [UInt8]? {
        let lower = bytes.map(\.lowerCased)
        let form = isInternational(lower) ? encoded(lower) : lower
        guard let form, isName(form) else { return nil }
        return form
    }

    /// Whether a label is encoded, or has characters that must be encoded.
    private static func isInternational(_ bytes: [UInt8]) -> Bool {
        bytes.contains { $0 >= 0x80 }
            || bytes.split(separator: dot).contains { $0.starts(with: encodedPrefix) }
    }

    /// Encodes every label (RFC 5891, after the non-transitional mapping of UTS #46).
    private static func encoded(_ bytes: [UInt8]) -> [UInt8]? {
        var result: UnsafeMutablePointer<UInt8>?
        let flags = IDN2_NFC_INPUT.rawValue | IDN2_NONTRANSITIONAL.rawValue
        guard idn2_lookup_u8(bytes + [0], &result, Int32(flags)) == IDN2_OK.rawValue, let result else { return nil }
        defer { idn2_free(result) }
        var length = 0
        while result[length] != 0 { length += 1 }
        return Array(UnsafeBufferPointer(start: result, count: length))
    }

    /// Labels of letters, digits and hyphens, with single dots between them.
    private static func isName(_ bytes: [UInt8]) -> Bool {
        bytes.split(separator: dot, omittingEmptySubsequences: false).allSatisfy { label in
            (1...maximumLabelLength).contains(label.count) && label.first != hyphen && label.last != hyphen
                && label.allSatisfy { $0.isLetterOrDigit || $0 == hyphen }
        }
    }
}
