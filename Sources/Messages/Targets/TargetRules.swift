/// The rules for the targets of an organization's messages.
package struct TargetRules: Hashable, Sendable {
    /// The service's own public origin: a link to a link would be counted twice, or cause a redirect loop.
    package let ownOrigin: PublicOrigin

    /// The organization's `targetHosts`; empty means any host.
    let allowedHosts: [TargetHostPattern]

    package init(ownOrigin: PublicOrigin, allowedHosts: [TargetHostPattern] = []) {
        self.ownOrigin = ownOrigin
        self.allowedHosts = allowedHosts
    }

    /// Rules that allow any host but the service's own.
    package var forAnyHost: TargetRules { TargetRules(ownOrigin: ownOrigin) }

    func check(_ origin: WebOrigin) throws(TargetURLError) {
        guard !leadsBack(origin) else { throw .ownOrigin }
        guard allowedHosts.isEmpty || allowedHosts.contains(where: { $0.matches(origin.host) }) else {
            throw .hostNotAllowed
        }
    }

    /// Checks the scheme of a target that a browser does not open itself.
    ///
    /// - Parameter scheme: the scheme in lower case.
    func check(scheme: String) throws(TargetURLError) {
        guard !URLScheme.wrapsURL(scheme) else { throw .refusedScheme }
        guard allowedHosts.isEmpty || !URLScheme.opensBrowser(scheme) else { throw .hostNotAllowed }
    }

    /// Whether a request for the origin can reach this service.
    ///
    /// Only the host decides: a proxy in front of the service also listens on other ports and for the other scheme, and
    /// redirects browsers from there to the public URL. Only on a loopback host, where each port is a service of its
    /// own, the port must be the same.
    private func leadsBack(_ origin: WebOrigin) -> Bool {
        let host = origin.host.unmapped
        return host == ownOrigin.host.unmapped && (!host.isLoopback || origin.port == ownOrigin.port)
    }
}
