import Webhooks

/// Decides where a delivery may go: each delivery is checked again, and is sent to an address that was checked.
struct ConnectionPolicy: Sendable {
    private let allowedHosts: Set<String>
    private let resolver: any NameResolver

    /// - Parameter allowedHosts: the hosts in lower case.
    init(allowedHosts: Set<String>, resolver: any NameResolver) {
        self.allowedHosts = allowedHosts
        self.resolver = resolver
    }

    /// The allowed addresses, in the order in which to try them.
    ///
    /// A name is looked up once. If one of its addresses is not allowed, none is: otherwise the owner of the name could
    /// choose by their order.
    /// - Returns: `nil` if the name could not be looked up in time, because of other look-ups.
    func addresses(for url: EndpointURL) async throws(DeliveryFailure) -> [NetworkAddress]? {
        let isAllowed = allowedHosts.contains(url.hostName)
        guard url.isSecure || isAllowed else { throw .notSecure }
        let addresses: [NetworkAddress]
        if url.hostIsAddress {
            guard let address = NetworkAddress(literal: url.hostName) else { throw .addressNotAllowed }
            addresses = [address]
        } else {
            guard let found = await resolver.addresses(of: url.hostName) else { return nil }
            addresses = found
        }
        guard !addresses.isEmpty else { throw .noAddress }
        guard isAllowed || addresses.allSatisfy(\.isGlobal) else { throw .addressNotAllowed }
        return addresses
    }
}
