import Cryptography

/// The order in which a sample draws leaves of a ledger. It follows from the seed and the bounds alone, so that it can
/// be repeated, and so that others can check that it was not manipulated:
///
///     leaf(n) = first + (first 8 bytes of SHA-256("SEED:n"), big-endian, modulo (end - first))
///
/// for n = 0, 1, 2, …, with `n` in decimal digits. A leaf that was drawn before is skipped.
struct SampleDraws: Sendable {
    private let seed: [UInt8]
    private let leaves: Range<UInt64>
    /// The number of draws so far.
    private(set) var count: UInt64 = 0
    private var drawn: Set<UInt64> = []

    init(seed: String, from leaves: Range<UInt64>) {
        self.seed = Array("\(seed):".utf8)
        self.leaves = leaves
    }

    /// The leaf of the next draw; `nil` if it was drawn before.
    /// - Precondition: `leaves` is not empty.
    mutating func next() -> UInt64? {
        let hash = SHA256.hash(of: seed + Array(String(count).utf8))
        count += 1
        let number = hash.prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        let leaf = leaves.lowerBound + number % UInt64(leaves.count)
        return drawn.insert(leaf).inserted ? leaf : nil
    }

    /// Whether every leaf was drawn.
    var isExhausted: Bool { drawn.count == leaves.count }
}
