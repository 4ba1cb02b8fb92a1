import ASCII

extension ConsentLinkAPI {
    /// A copy whose calls state a reason with each look at a recipient. An organization with
    /// ``Organization/recordAccess`` answers no such call without a reason, and keeps the reason.
    ///
    /// - Parameter reason: 1 to 500 characters without control characters. It should name no recipient.
    /// - Throws: ``ConsentLinkError/invalidArgument(_:)`` for an empty one.
    public func giving(reason: String) throws(ConsentLinkError) -> ConsentLinkAPI {
        ConsentLinkAPI(try transport.giving(reason: reason))
    }
}

extension OrganizationAPI {
    /// A copy whose calls state a reason with each look at a recipient.
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
        // A header may have only visible ASCII characters.
        transport.accessReason = PercentEncoding.encode(reason) { $0.isVisible && $0 != UInt8(ascii: "%") }
        return transport
    }
}
