import Webhooks

/// Where a delivery may go: checked for each delivery anew, and the connection is made to an address that was checked.
struct ConnectionPolicy: Sendable {
    private let allowedHosts: Set<String>
    private let resolver: any NameResolver

    /// - Parameter allowedHosts: in lower case.
    init(allowedHosts: Set<String>, resolver: any NameResolver) {
        self.allowedHosts = allowedHosts
        self.resolver = resolver
    }

    /// The addresses that may be connected to, in the order in which they are to be tried.
    ///
    /// A name is asked for once. If one of its addresses is not allowed, none is: who rules over a name could otherwise
    /// choose by the order.
    /// - Returns: `nil` when the name could not be looked up in time, because others were.
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
