package import Identifiers
package import NIOCore
import Synchronization

/// How often one tracking ID may be recorded: 100 times at once, then once a second. Further requests are redirected
/// and not recorded, so that one genuine link cannot fill the disk.
///
/// A bucket is one number: the time at which it is full again. The table has a fixed size. Eight buckets share a cache
/// line; when all are in use, the fullest is replaced. No lock, no allocation, one atomic exchange per click.
package final class ClickRate: @unchecked Sendable {
    // Sendable: the memory neither moves nor changes until it is freed, and its values are atomic.

    /// How many clicks are recorded at once.
    private static let burst: Int64 = 100
    /// After this interval one more click is recorded. A number, not a `Duration`: a constant costs a click nothing.
    private static let intervalInMilliseconds: Int64 = 1000

    private static let lines = 1 << 13
    private static let ways = 8
    /// The lower bits of a bucket are the time in milliseconds; the upper bits identify the tracking ID in its line.
    private static let timeBits: UInt64 = 40
    private static let timeMask: UInt64 = (1 << timeBits) - 1

    private let buckets: UnsafeMutablePointer<Atomic<UInt64>>

    package init() {
        let count = Self.lines * Self.ways
        buckets = UnsafeMutableRawPointer.allocate(byteCount: count * MemoryLayout<UInt64>.stride, alignment: 64)
            .bindMemory(to: Atomic<UInt64>.self, capacity: count)
        for index in 0..<count { (buckets + index).initialize(to: Atomic(0)) }
    }

    deinit {
        buckets.deinitialize(count: Self.lines * Self.ways)
        UnsafeMutableRawPointer(buckets).deallocate()
    }

    /// Takes one recording from the bucket of a tracking ID.
    /// - Returns: whether the bucket had one.
    package func consume(
        of recipient: RecipientReference, on message: MessageID, link: LinkIndex, at now: NIODeadline
    ) -> Bool {
        let hash = Self.hash(message.rawValue, recipient.rawValue, UInt64(link.rawValue))
        // 0 is an empty bucket, so time begins with 1.
        return consume(hash, at: Int64(now.uptimeNanoseconds / 1_000_000) + 1)
    }

    /// - Parameter now: in milliseconds, not 0.
    func consume(_ hash: UInt64, at now: Int64) -> Bool {
        let line = Int(hash % UInt64(Self.lines)) * Self.ways
        let tag = hash >> Self.timeBits
        while true {
            let index = line + way(of: tag, in: line)
            let old = buckets[index].load(ordering: .relaxed)
            let isOwn = old >> Self.timeBits == tag
            let full = isOwn ? max(Int64(old & Self.timeMask), now) : now
            guard full + Self.intervalInMilliseconds - now <= Self.burst * Self.intervalInMilliseconds else {
                return false
            }
            let new = tag << Self.timeBits | UInt64(full + Self.intervalInMilliseconds) & Self.timeMask
            if buckets[index].compareExchange(expected: old, desired: new, ordering: .relaxed).exchanged { return true }
        }
    }

    /// The bucket with this tag, else the one that is full again soonest.
    private func way(of tag: UInt64, in line: Int) -> Int {
        var (best, soonest) = (0, UInt64.max)
        for way in 0..<Self.ways {
            let bucket = buckets[line + way].load(ordering: .relaxed)
            if bucket >> Self.timeBits == tag && bucket != 0 { return way }
            if bucket & Self.timeMask < soonest { (best, soonest) = (way, bucket & Self.timeMask) }
        }
        return best
    }

    /// SplitMix64's finalizer over the three numbers.
    private static func hash(_ message: UInt64, _ recipient: UInt64, _ link: UInt64) -> UInt64 {
        var mixed = message &* 0x9E37_79B9_7F4A_7C15 ^ recipient &+ link &* 0xD6E8_FEB8_6659_FD93
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
