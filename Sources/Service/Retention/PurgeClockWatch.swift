import Identifiers
import Organizations

/// The state of the node's clock, by which data is deleted. It checks the clock in every round, and keeps what the next
/// start must know while the node has the job.
struct PurgeClockWatch {
    enum HoldChange {
        /// A hold began, or existed when this node got the job.
        case held
        case believed
    }

    private var hold: RetentionHold?
    /// The hold that this node stored; `nil` if another node may have stored one since.
    private var lastStored: RetentionHold?
    /// Whether the last news was that there is a hold.
    private var isTold = false
    private(set) var mayPurge = false

    /// Whether requests with an `Idempotency-Key` that are old enough may be deleted, too.
    var mayForgetRequests: Bool { mayPurge && hold?.mayForgetRequests ?? false }

    /// Whether it has the state that the store has.
    var isBegun: Bool { hold != nil }

    /// - Parameter stored: the state of the previous process, or of another node.
    mutating func begin(_ stored: RetentionHold, at now: Timestamp) {
        hold = stored
        check(at: now)
    }

    /// Must be called in every round.
    mutating func check(at now: Timestamp) {
        guard var hold else { return }
        mayPurge = hold.mayPurge(at: now)
        self.hold = hold
    }

    /// Whether nothing may be deleted because the clock is not trusted.
    var isHeld: Bool { hold?.heldSince != nil }

    /// Looks at the clock between two rounds.
    /// - Returns: whether a hold begins or ends now.
    mutating func changesHold(at now: Timestamp) -> Bool {
        let wasHeld = isHeld
        check(at: now)
        return wasHeld != isHeld
    }

    /// Called when another node has the job.
    mutating func leave() { lastStored = nil }

    /// The news to report, once.
    /// - Parameter hasLeapt: whether nothing is deleted for another reason: the clock went ahead while no process ran.
    mutating func change(hasLeapt: Bool = false) -> HoldChange? {
        let isHeld = isHeld || hasLeapt
        defer { isTold = isHeld }
        return isHeld == isTold ? nil : isHeld ? .held : .believed
    }

    /// The state to store now: beginning and end of a hold at once, the time itself every hour.
    var stateToStore: RetentionHold? {
        guard let hold else { return nil }
        guard let lastStored else { return hold }
        let isWorth =
            hold.heldSince != lastStored.heldSince || hold.trusted < lastStored.trusted
            || hold.trusted > lastStored.trusted.advanced(by: .hours(1))
            || hold.heldSince != nil && hold.seen > lastStored.seen.advanced(by: .hours(1))
        return isWorth ? hold : nil
    }

    mutating func didStore(_ hold: RetentionHold) { lastStored = hold }
}
