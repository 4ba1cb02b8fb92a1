package import Consent

/// The status under which one recipient's consent to one purpose counts at a time: the record in force, and whether it
/// has ended by itself.
package enum CountedStatus: String, Hashable, Sendable, CaseIterable {
    case given
    case refused
    case withdrawn
    case revoked
    case invalidated
    /// Given, but ended by itself.
    case expired

    package init(_ state: ConsentState) {
        self =
            switch state {
            case .given: .given
            case .refused: .refused
            case .withdrawn: .withdrawn
            case .revoked: .revoked
            case .invalidated: .invalidated
            }
    }
}

/// How much of the evidence that can be required the record of a given consent has (``RequiredEvidence``).
package enum CountedEvidence: String, Hashable, Sendable, CaseIterable {
    case methodAndNotice
    case methodOnly
    case noticeOnly
    /// Some evidence, but neither method nor notice.
    case other
    case none

    package init(_ evidence: ConsentEvidence?) {
        switch (evidence?.has(.method) ?? false, evidence?.has(.notice) ?? false) {
        case (true, true): self = .methodAndNotice
        case (true, false): self = .methodOnly
        case (false, true): self = .noticeOnly
        case (false, false): self = evidence.map { $0 == ConsentEvidence() } ?? true ? .none : .other
        }
    }
}
