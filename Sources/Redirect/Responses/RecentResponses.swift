import NIOCore

/// The answers that an event loop wrote in the second that its `Date` names. A second request for the same link within
/// that second gets the same bytes: nothing is written, copied or allocated for it.
///
/// A prepared answer is identified by its address in memory. The entry retains it, so no other answer can get that
/// address meanwhile.
struct RecentResponses {
    private struct Kept {
        let prepared: [UInt8]
        let answer: ByteBuffer
    }

    /// With answers of the longest targets they take 1.2 MB.
    private static let count = 256

    /// Each prepared answer has one place. If two have the same place, the later one is kept.
    private var places = [Kept?](repeating: nil, count: count)

    func answer(of prepared: [UInt8]) -> ByteBuffer? {
        guard let kept = places[Self.place(of: prepared)], Self.address(of: kept.prepared) == Self.address(of: prepared)
        else { return nil }
        return kept.answer
    }

    mutating func keep(_ answer: ByteBuffer, of prepared: [UInt8]) {
        places[Self.place(of: prepared)] = Kept(prepared: prepared, answer: answer)
    }

    mutating func removeAll() {
        for place in places.indices { places[place] = nil }
    }

    private static func address(of prepared: [UInt8]) -> UInt {
        prepared.withUnsafeBufferPointer { UInt(bitPattern: $0.baseAddress) }
    }

    /// Fibonacci hashing: addresses differ in their middle bits.
    private static func place(of prepared: [UInt8]) -> Int {
        Int(truncatingIfNeeded: (UInt64(address(of: prepared)) &* 0x9E37_79B9_7F4A_7C15) >> 56)
    }
}
