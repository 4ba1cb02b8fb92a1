/// Which of 4,096 recipients did something with a message, one bit each.
struct ResponderBlock: Equatable {
    /// A power of two.
    static let size: Int64 = 4096

    private(set) var bytes: [UInt8]

    init() { bytes = [UInt8](repeating: 0, count: Int(Self.size) / 8) }

    /// - Parameter bytes: of another length, they give an empty block: a damaged block must not keep others from being
    ///   counted.
    init(bytes: [UInt8]) {
        self.init()
        if bytes.count == self.bytes.count { self.bytes = bytes }
    }

    /// The number of the block that a recipient is in.
    static func number(of recipient: Int64) -> Int64 { recipient >> size.trailingZeroBitCount }

    subscript(recipient: Int64) -> Bool {
        get { bytes[Self.byte(recipient)] & Self.bit(recipient) != 0 }
        set {
            if newValue {
                bytes[Self.byte(recipient)] |= Self.bit(recipient)
            } else {
                bytes[Self.byte(recipient)] &= ~Self.bit(recipient)
            }
        }
    }

    var count: Int { bytes.reduce(0) { $0 + $1.nonzeroBitCount } }

    mutating func formUnion(_ other: ResponderBlock) {
        for place in bytes.indices { bytes[place] |= other.bytes[place] }
    }

    mutating func subtract(_ other: ResponderBlock) {
        for place in bytes.indices { bytes[place] &= ~other.bytes[place] }
    }

    private static func byte(_ recipient: Int64) -> Int { Int(recipient & (size - 1)) / 8 }
    private static func bit(_ recipient: Int64) -> UInt8 { 1 << UInt8(recipient & 7) }
}
