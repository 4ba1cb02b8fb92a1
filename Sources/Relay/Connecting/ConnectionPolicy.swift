import Webhooks

/// Decides where a delivery may go: each delivery is checked again, and is sent to an address that was checked.
struct ConnectionPolicy: Sendable {
    private let allowedHosts: Set<String>
    private let resolver: any NameResolver
    private let ownAddresses: @Sendable () -> Set<NetworkAddress>?

    /// - Parameters:
    ///   - allowedHosts: the hosts in lower case.
    ///   - ownAddresses: the addresses of this machine; `nil` if the system does not tell them.
    init(
        allowedHosts: Set<String>, resolver: any NameResolver,
        ownAddresses: @escaping @Sendable () -> Set<NetworkAddress>? = { InterfaceAddresses.current() }
    ) {
        self.allowedHosts = allowedHosts
        self.resolver = resolver
        self.ownAddresses = ownAddresses
    }

    /// The allowed addresses, in the order in which to try them: the resolver's, with the families in turn.
    ///
    /// A name is looked up once. If one of its addresses is not allowed, none is: otherwise the owner of the name could
    /// choose by their order. A global address of this machine leads to it like the loopback, and is refused like it.
    /// - Returns: `nil` if the name could not be looked up in time, because of other look-ups, or if the system does not
    ///   tell this machine's addresses.
    func addresses(for url: EndpointURL) async throws(DeliveryFailure) -> [NetworkAddress]? {
        let isAllowed = allowedHosts.contains(url.hostName)
        guard url.isSecure || isAllowed else { throw .notSecure }
        let addresses: [NetworkAddress]
        if url.hostIsAddress {
            guard let address = NetworkAddress(literal: url.hostName) else { throw .addressNotAllowed }
            addresses = [address]
        } else {
            guard let found = await resolver.addresses(of: url.hostName) else { return nil }
            addresses = found.familiesInTurn
        }
        guard !addresses.isEmpty else { throw .noAddress }
        guard !isAllowed else { return addresses }
        guard addresses.allSatisfy(\.isGlobal) else { throw .addressNotAllowed }
        guard let own = ownAddresses() else { return nil }
        guard own.isDisjoint(with: addresses) else { throw .addressNotAllowed }
        return addresses
    }
}
