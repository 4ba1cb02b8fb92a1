import Identifiers
import Organizations

/// What a node knows of its clock, by which things are deleted. It looks at the clock in every round, and keeps what the
/// next start has to know while it has the job.
struct PurgeClockWatch {
    enum News {
        /// A hold began, or was there when this node got the job.
        case held
        case believed
    }

    private static let hour = Duration.seconds(3600)

    private var hold: RetentionHold?
    /// As this node stored it; `nil` where another node may have stored one since.
    private var noted: RetentionHold?
    /// Whether it was last told that there is a hold.
    private var isTold = false
    private(set) var mayPurge = false

    /// Whether it was told what the store says.
    var isBegun: Bool { hold != nil }

    /// - Parameter stored: what the process before, or another node, knew.
    mutating func begin(_ stored: RetentionHold, at now: Timestamp) {
        hold = stored
        look(at: now)
    }

    /// To be called in every round.
    mutating func look(at now: Timestamp) {
        guard var hold else { return }
        mayPurge = hold.mayPurge(at: now)
        self.hold = hold
    }

    /// Another node has the job.
    mutating func leave() { noted = nil }

    /// What has to be told, once.
    mutating func news() -> News? {
        let isHeld = hold?.heldSince != nil
        defer { isTold = isHeld }
        return isHeld == isTold ? nil : isHeld ? .held : .believed
    }

    /// What is to be stored now: beginning and end of a hold at once, the time itself every hour.
    var worthNoting: RetentionHold? {
        guard let hold else { return nil }
        guard let noted else { return hold }
        let isWorth =
            hold.heldSince != noted.heldSince || hold.trusted < noted.trusted
            || hold.trusted > noted.trusted.advanced(by: Self.hour)
            || hold.heldSince != nil && hold.seen > noted.seen.advanced(by: Self.hour)
        return isWorth ? hold : nil
    }

    mutating func wasNoted(_ hold: RetentionHold) { noted = hold }
}
