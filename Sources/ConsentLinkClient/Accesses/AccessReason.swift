extension ConsentLinkAPI {
    /// The same, for calls that look at recipients: it says why with each of them. An organization with
    /// ``Organization/recordAccess`` answers no such call without a reason, and keeps the reason.
    ///
    /// - Parameter reason: 1 to 500 characters without control characters. It should name no recipient.
    /// - Throws: ``ConsentLinkError/invalidArgument(_:)`` for an empty one.
    public func giving(reason: String) throws(ConsentLinkError) -> ConsentLinkAPI {
        ConsentLinkAPI(try transport.giving(reason: reason))
    }
}

extension OrganizationAPI {
    /// The same, for calls that look at recipients: it says why with each of them.
    ///
    /// ```swift
    /// let consent = try await acme.giving(reason: "complaint 4711").consent(of: "ana@example.com")
    /// ```
    /// - Parameter reason: as of ``ConsentLinkAPI/giving(reason:)``.
    public func giving(reason: String) throws(ConsentLinkError) -> OrganizationAPI {
        OrganizationAPI(id: id, transport: try transport.giving(reason: reason), path: path)
    }
}

extension Transport {
    fileprivate func giving(reason: String) throws(ConsentLinkError) -> Transport {
        guard !reason.isEmpty else { throw .invalidArgument("a reason must say something") }
        var transport = self
        transport.accessReason = Self.percentEncoded(reason)
        return transport
    }

    private static func percentEncoded(_ text: String) -> String {
        var encoded = ""
        for byte in text.utf8 {
            if (0x21...0x7E).contains(byte), byte != UInt8(ascii: "%") {
                encoded.unicodeScalars.append(Unicode.Scalar(byte))
            } else {
                let digits = String(byte, radix: 16, uppercase: true)
                encoded += digits.count == 1 ? "%0\(digits)" : "%\(digits)"
            }
        }
        return encoded
    }
}
