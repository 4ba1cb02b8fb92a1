import ASCII

/// Which texts are e-mail addresses, and which of them are the same address. `docs/concepts.md` has the rules with
/// examples.
///
/// An address is `local-part@domain`: a dot-string (RFC 5321, 4.1.2) that may have characters beyond ASCII (RFC 6531,
/// 3.3), and a domain name. Quoted local parts and address literals are not addresses here.
enum EmailAddress {
    private static let at = UInt8(ascii: "@")
    private static let hyphen = UInt8(ascii: "-")

    /// The spelling by which an address is compared; `nil` for a text that already has this spelling, and for one that
    /// is not an address.
    ///
    /// This spelling is itself an address with the same comparison form, so it never equals the text of another
    /// recipient.
    static func comparisonForm(of text: String) -> String? {
        guard !isPlain(text) else { return nil }
        let bytes = Array(text.utf8)
        guard let position = bytes.firstIndex(of: at),
            let local = LocalPart.comparisonForm(of: bytes[..<position]),
            let domain = DomainName.comparisonForm(of: bytes[(position + 1)...])
        else { return nil }
        let form = local + [at] + domain
        return form == bytes ? nil : String(decoding: form, as: UTF8.self)
    }

    /// Whether the text has only one spelling: ASCII without upper-case letters and without the `--` of an encoded
    /// domain name. It allocates nothing, because it is called for every recipient of a campaign.
    private static func isPlain(_ text: String) -> Bool {
        text.utf8.withContiguousStorageIfAvailable(isPlain) ?? isPlain(Array(text.utf8))
    }

    private static func isPlain(_ bytes: some Collection<UInt8>) -> Bool {
        var previous: UInt8 = 0
        for byte in bytes {
            if byte >= 0x80 || byte.isUpperCaseLetter || (byte == hyphen && previous == hyphen) { return false }
            previous = byte
        }
        return true
    }
}
