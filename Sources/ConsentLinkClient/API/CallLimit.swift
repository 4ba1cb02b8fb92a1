extension ConsentLinkAPI {
    /// A copy whose calls take no longer than `limit`, for example because a user waits for the answer; or may take
    /// longer than usual.
    ///
    /// ```swift
    /// let patient = try api.waiting(atMost: .seconds(3600))
    /// ```
    ///
    /// Without a limit of yours, each try of a call may take 60 seconds until its whole answer is read. Where the work
    /// grows with what is stored, selected or sent, it may take 10 minutes: ``OrganizationAPI/erase(_:)``, the
    /// documents about a recipient, reports, totals, samples, pages of decisions, interactions and looks, and arrays of
    /// consents and recipients. ``backUp(within:)`` may take a day.
    ///
    /// - Parameter limit: for all tries of a call and the pauses between them. A call that would have to pause longer
    ///   throws the refusal of its last try at once.
    ///   - Each page of a list or a feed is a call. The time for which a feed asks the service to wait is added.
    ///   - For what is read as it arrives, such as ``OrganizationAPI/exportAudit(_:)``, it is the time until the answer
    ///     begins (otherwise 10 minutes for each try). After that, each piece may take 5 minutes.
    ///   - It does not apply to calls that send lines (`forEach`), which have a `patience` of their own.
    /// - Throws: ``ConsentLinkError/invalidArgument(_:)`` unless `limit` is positive. A call whose time has passed
    ///   throws ``ConsentLinkError/unreachable(reason:)``.
    public func waiting(atMost limit: Duration) throws(ConsentLinkError) -> ConsentLinkAPI {
        ConsentLinkAPI(try transport.waiting(atMost: limit))
    }
}

extension OrganizationAPI {
    /// A copy whose calls take no longer than `limit`, or may take longer than usual.
    ///
    /// ```swift
    /// let consent = try await acme.waiting(atMost: .seconds(2)).consent(of: "ana@example.com")
    /// ```
    /// - Parameter limit: as of ``ConsentLinkAPI/waiting(atMost:)``, which has the times without a limit.
    /// - Throws: ``ConsentLinkError/invalidArgument(_:)`` unless `limit` is positive.
    public func waiting(atMost limit: Duration) throws(ConsentLinkError) -> OrganizationAPI {
        OrganizationAPI(id: id, transport: try transport.waiting(atMost: limit), path: path)
    }
}

extension Transport {
    fileprivate func waiting(atMost limit: Duration) throws(ConsentLinkError) -> Transport {
        guard limit > .zero else { throw .invalidArgument("a call needs some time") }
        var transport = self
        transport.limit = limit
        return transport
    }
}
