import Glibc
import Webhooks

/// The addresses of this machine's network interfaces. To the machine itself they lead like its loopback, past any
/// firewall between it and other machines.
enum InterfaceAddresses {
    /// The addresses now: interfaces come and go.
    /// - Returns: `nil` if the system does not tell them: the process lacks descriptors or memory, or may not use
    ///   sockets of `AF_NETLINK`.
    static func current() -> Set<NetworkAddress>? {
        var first: UnsafeMutablePointer<ifaddrs>?
        guard getifaddrs(&first) == 0 else { return nil }
        defer { freeifaddrs(first) }
        var addresses: Set<NetworkAddress> = []
        var next = first
        while let entry = next {
            if let address = NetworkAddress(entry.pointee.ifa_addr) { addresses.insert(address) }
            next = entry.pointee.ifa_next
        }
        return addresses
    }
}
