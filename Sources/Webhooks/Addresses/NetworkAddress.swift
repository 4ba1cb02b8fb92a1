/// An IP address by its bytes.
package enum NetworkAddress: Hashable, Sendable {
    /// Four bytes, the most significant first.
    case v4(UInt32)
    /// Sixteen bytes.
    case v6([UInt8])

    /// - Returns: `nil` unless there are 4 or 16 bytes.
    package init?(_ bytes: [UInt8]) {
        switch bytes.count {
        case 4: self = .v4(bytes.reduce(0) { $0 << 8 | UInt32($1) })
        case 16: self = .v6(bytes)
        default: return nil
        }
    }
}

extension NetworkAddress {
    /// Whether it belongs to exactly one place in the Internet. A relay connects only to such addresses.
    ///
    /// By the special-purpose registries of IANA (RFC 6890 and its updates), every address that is not globally
    /// reachable is refused: this machine, its networks, documentation, benchmarking, multicast, and reserved ones.
    /// Addresses that contain another address are refused too, such as IPv4-mapped ones, NAT64 and 6to4, because this
    /// list cannot tell where they lead.
    package var isGlobal: Bool {
        switch self {
        case .v4(let address): !Self.refusedV4.contains { $0.contains(address) }
        case .v6(let bytes):
            // Global unicast is 2000::/3; nothing else is assigned.
            bytes[0] & 0xE0 == 0x20 && !Self.refusedV6.contains { $0.contains(bytes) }
        }
    }

    private struct NetworkV4 {
        let address: UInt32
        let bits: UInt32

        init(_ a: UInt32, _ b: UInt32, _ c: UInt32, _ d: UInt32, _ bits: UInt32) {
            address = a << 24 | b << 16 | c << 8 | d
            self.bits = bits
        }

        func contains(_ other: UInt32) -> Bool { other >> (32 - bits) == address >> (32 - bits) }
    }

    private static let refusedV4 = [
        NetworkV4(0, 0, 0, 0, 8),  // this network
        NetworkV4(10, 0, 0, 0, 8),  // private
        NetworkV4(100, 64, 0, 0, 10),  // shared by a provider's customers
        NetworkV4(127, 0, 0, 0, 8),  // this machine
        NetworkV4(169, 254, 0, 0, 16),  // link-local, and the metadata of clouds
        NetworkV4(172, 16, 0, 0, 12),  // private
        NetworkV4(192, 0, 0, 0, 24),  // protocol assignments
        NetworkV4(192, 0, 2, 0, 24),  // documentation
        NetworkV4(192, 31, 196, 0, 24),  // AS112
        NetworkV4(192, 52, 193, 0, 24),  // AMT
        NetworkV4(192, 88, 99, 0, 24),  // 6to4 relays
        NetworkV4(192, 168, 0, 0, 16),  // private
        NetworkV4(192, 175, 48, 0, 24),  // AS112
        NetworkV4(198, 18, 0, 0, 15),  // benchmarking
        NetworkV4(198, 51, 100, 0, 24),  // documentation
        NetworkV4(203, 0, 113, 0, 24),  // documentation
        NetworkV4(224, 0, 0, 0, 4),  // multicast
        NetworkV4(240, 0, 0, 0, 4),  // reserved, and broadcast
    ]

    private struct NetworkV6 {
        let prefix: [UInt8]
        let bits: Int

        init(_ prefix: [UInt8], _ bits: Int) {
            self.prefix = prefix
            self.bits = bits
        }

        func contains(_ bytes: [UInt8]) -> Bool {
            for bit in 0..<bits {
                let mask = UInt8(0x80) >> UInt8(bit % 8)
                guard bytes[bit / 8] & mask == prefix[bit / 8] & mask else { return false }
            }
            return true
        }
    }

    /// Inside 2000::/3.
    private static let refusedV6 = [
        NetworkV6([0x20, 0x01, 0x00], 23),  // protocol assignments: Teredo, benchmarking, ORCHID
        NetworkV6([0x20, 0x01, 0x0D, 0xB8], 32),  // documentation
        NetworkV6([0x20, 0x02], 16),  // 6to4
        NetworkV6([0x26, 0x20, 0x00, 0x4F, 0x80, 0x00], 48),  // AS112
        NetworkV6([0x3F, 0xFE], 16),  // the former 6bone
        NetworkV6([0x3F, 0xFF, 0x00], 20),  // documentation
    ]
}
