/// Random numbers of libcrypto's generator, fetched many at a time: an id needs two, and a separate call for each costs
/// more than storing it.
package struct BufferedRandom: RandomNumberGenerator {
    private static let bytesAtOnce = 4096
    private static let numberLength = MemoryLayout<UInt64>.size

    private var source = SecureRandom()
    private var bytes: [UInt8] = []
    private var place = 0

    package init() {}

    package mutating func next() -> UInt64 {
        if place == bytes.count {
            bytes = source.bytes(Self.bytesAtOnce)
            place = 0
        }
        defer { place += Self.numberLength }
        return bytes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: place, as: UInt64.self) }
    }
}
