import Consent
import Identifiers
import Messages

/// What a recipient has answered, for each purpose on which the page of a message depends.
///
/// The page speaks of every message of its sender. An open of one message may need consent to `tracking`, an open of
/// another one consent to `open-tracking`, and a no to `open-tracking` holds for both. So a page that speaks of opens
/// needs the two.
struct WithdrawalAnswers {
    private let purposes: MessagePurposes
    private var states: [Purpose: WithdrawalPage.State] = [:]

    /// The purposes to look up.
    static func purposes(of message: MessagePurposes) -> [Purpose] {
        let isAboutOpens = [message.opens, message.clicks].contains { $0 == .tracking || $0 == .openTracking }
        let further = isAboutOpens ? [Purpose.tracking, .openTracking] : []
        return message.distinct + further.filter { !message.distinct.contains($0) }
    }

    /// - Parameter statuses: one for each of ``purposes(of:)``, in their order.
    /// - Returns: `nil` for a recipient who was erased.
    init?(
        _ statuses: [ConsentStatus], to purposes: MessagePurposes, _ policy: ConsentPolicy, at instant: Timestamp
    ) {
        self.purposes = purposes
        for (purpose, status) in zip(Self.purposes(of: purposes), statuses) {
            let state = WithdrawalPage.State(status, policy, at: instant)
            if state == nil, purposes.distinct.contains(purpose) { return nil }
            states[purpose] = state ?? .ended
        }
    }

    /// One entry, or one for clicks and one for opens: if the message has a purpose for each, and where one of the two
    /// is recorded or was refused without the other.
    var entries: [WithdrawalPage.Entry] {
        let clicks = WithdrawalPage.Entry(part: .clicks, purpose: purposes.clicks, state: state(purposes.clicks))
        let opens = WithdrawalPage.Entry(part: .opens, purpose: opensPurpose, state: opensState)
        guard let shared = purposes.shared else { return [clicks, opens] }
        let isOneAnswer =
            shared != .tracking || opens.state == clicks.state || clicks.state == .ended && opens.state == .silent
        return isOneAnswer
            ? [WithdrawalPage.Entry(part: .everything, purpose: shared, state: clicks.state)] : [clicks, opens]
    }

    /// The purposes to which a form says no.
    /// - Parameter parts: `nil` for all.
    func purposes(of parts: Set<WithdrawalPage.Part>?) -> [Purpose] {
        guard let parts else { return purposes.distinct }
        return (parts.contains(.clicks) ? [purposes.clicks] : []) + (parts.contains(.opens) ? [opensPurpose] : [])
    }

    mutating func end(_ ended: [Purpose]) {
        for purpose in ended { states[purpose] = .ended }
    }

    /// The purpose of the part for opens.
    private var opensPurpose: Purpose { purposes.shared == .tracking ? .openTracking : purposes.opens }

    private var opensState: WithdrawalPage.State {
        let own = state(opensPurpose)
        switch opensPurpose {
        case .openTracking where own == .silent && state(.tracking) == .on: return .on
        case .tracking where state(.openTracking) == .ended: return .ended
        default: return own
        }
    }

    private func state(_ purpose: Purpose) -> WithdrawalPage.State { states[purpose] ?? .silent }
}
