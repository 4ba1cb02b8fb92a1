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
        // A header has visible characters alone.
        transport.accessReason = reason.percentEncoded { (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "%") }
        return transport
    }
}
