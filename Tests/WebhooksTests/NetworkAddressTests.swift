import Testing

@testable import Webhooks

/// Where a relay may connect.
@Suite struct NetworkAddressTests {
    private static func v4(_ text: String) -> NetworkAddress? {
        NetworkAddress(text.split(separator: ".").compactMap { UInt8($0) })
    }

    /// - Parameter text: eight groups of four digits, or fewer with `::`.
    private static func v6(_ text: String) -> NetworkAddress? {
        let halves = text.split(separator: "::", omittingEmptySubsequences: false)
        let groups = halves.map { half in half.split(separator: ":").compactMap { UInt16($0, radix: 16) } }
        let gap = halves.count == 2 ? 8 - groups[0].count - groups[1].count : 0
        let all = groups[0] + Array(repeating: 0, count: gap) + (halves.count == 2 ? groups[1] : [])
        return NetworkAddress(all.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] })
    }

    @Test(
        "addresses of one place in the Internet are global, also those right beside networks that are not",
        arguments: [
            "1.1.1.1", "9.255.255.255", "11.0.0.0", "100.63.255.255", "100.128.0.0", "126.255.255.255", "128.0.0.0",
            "169.253.255.255", "169.255.0.0", "172.15.255.255", "172.32.0.0", "192.0.1.0", "192.0.3.0",
            "192.167.255.255", "192.169.0.0", "198.17.255.255", "198.20.0.0", "198.51.99.255", "198.51.101.0",
            "203.0.112.255", "203.0.114.0", "223.255.255.255", "2001:200::1", "2001:db7:ffff::1", "2001:db9::1",
            "2003::1", "2400:cb00::1", "2606:4700::6810:84e5", "2a00:1450::1", "3ffd::1", "3fff:1000::1",
        ])
    func global(_ text: String) throws {
        let address = try #require(text.contains(":") ? Self.v6(text) : Self.v4(text))
        #expect(address.isGlobal)
    }

    @Test(
        "every other address is refused",
        arguments: [
            "0.0.0.0", "0.255.255.255", "10.0.0.1", "10.255.255.255", "100.64.0.1", "100.127.255.255", "127.0.0.1",
            "127.255.255.255", "169.254.169.254", "172.16.0.1", "172.31.255.255", "192.0.0.1", "192.0.2.1",
            "192.31.196.1", "192.52.193.1", "192.88.99.1", "192.168.0.1", "192.175.48.1", "198.18.0.1",
            "198.19.255.255", "198.51.100.1", "203.0.113.1", "224.0.0.1", "239.255.255.255", "240.0.0.1",
            "255.255.255.255",
            // Unspecified, loopback, IPv4-compatible and IPv4-mapped.
            "::", "::1", "::7f00:1", "::ffff:7f00:1", "::ffff:101:101",
            // NAT64, discard, the local use of both, link-local, site-local, unique-local, multicast.
            "64:ff9b::7f00:1", "64:ff9b::101:101", "64:ff9b:1::1", "100::1", "fe80::1", "fec0::1", "fc00::1",
            "fd12:3456::1", "ff02::1", "4000::1",
            // Teredo, benchmarking, ORCHID, documentation, 6to4, AS112, 6bone.
            "2001::1", "2001:2::1", "2001:10::1", "2001:20::1", "2001:1ff::1", "2001:db8::1", "2002:7f00:1::1",
            "2002:101:101::1", "2620:4f:8000::1", "3ffe::1", "3fff::1", "3fff:fff::1",
        ])
    func refused(_ text: String) throws {
        let address = try #require(text.contains(":") ? Self.v6(text) : Self.v4(text))
        #expect(!address.isGlobal)
    }

    @Test("there are addresses of 4 and of 16 bytes alone", arguments: [0, 3, 5, 15, 17])
    func lengths(_ count: Int) {
        #expect(NetworkAddress([UInt8](repeating: 1, count: count)) == nil)
    }
}
