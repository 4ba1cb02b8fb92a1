/// Where the targets of an organization's messages may lead.
package struct TargetRules: Hashable, Sendable {
    /// The service's own public origin: a link to a link would be counted twice, or lead in a circle.
    package let ownOrigin: PublicOrigin

    /// The organization's `targetHosts`; empty means any host.
    package let allowedHosts: [TargetHostPattern]

    package init(ownOrigin: PublicOrigin, allowedHosts: [TargetHostPattern] = []) {
        self.ownOrigin = ownOrigin
        self.allowedHosts = allowedHosts
    }

    func check(_ origin: WebOrigin) throws(TargetURLError) {
        guard origin != ownOrigin.origin else { throw .ownOrigin }
        guard allowedHosts.isEmpty || allowedHosts.contains(where: { $0.matches(origin.host) }) else {
            throw .hostNotAllowed
        }
    }
}
