import Synchronization

/// How often in a row the program has started again because the storage answered, although it could not be opened then.
/// Each image tells the next one, beside its sockets (``InheritedSockets/variable``).
///
/// A start that follows an answer of the storage waits longer for it. If it fails nevertheless, the next attempt comes
/// later each time, because readers wait meanwhile.
final class RecoveryAttempts: Sendable {
    private static let name = "recoveries"
    private static let longestInterval = Duration.seconds(300)

    /// The attempts in a row that led to this image; 0 for any other start.
    let earlier: Int
    private let hasBegun = Atomic(false)

    init(earlier: Int = 0) { self.earlier = earlier }

    /// - Parameter text: what the image before handed over; `nil` if there was none.
    convenience init(handedOver text: String?) {
        let count = HandedOver.parts(of: text).last { $0.name == Self.name }?.number
        self.init(earlier: max(0, count ?? 0))
    }

    /// Whether the storage answered just before this start.
    var isExpected: Bool { earlier > 0 }

    /// The program is about to start again because the storage answers.
    func begin() { hasBegun.store(true, ordering: .relaxed) }

    /// The part of what is handed over to the next image; empty if no attempt has begun.
    var handOver: String {
        hasBegun.load(ordering: .relaxed) ? ":\(Self.name)=\(min(earlier, Int.max - 1) + 1)" : ""
    }

    /// How often to ask whether the storage can be used.
    /// - Parameter isRefused: whether the server has refused, and not only failed to answer.
    func interval(isRefused: Bool) -> Duration {
        guard isRefused || earlier > 0 else { return StorageRecovery.usualInterval }
        let doublings = min(max(0, earlier - 1), 16)
        return min(StorageRecovery.intervalAfterRefusal * (1 << doublings), Self.longestInterval)
    }
}
