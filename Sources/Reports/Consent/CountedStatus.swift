package import Consent

/// Under what one recipient's consent to one purpose counts at a moment: the record in force, and whether it has expired.
package enum CountedStatus: String, Hashable, Sendable, CaseIterable {
    case given
    case refused
    case withdrawn
    case revoked
    case invalidated
    /// Given, and past its end.
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

/// How much of the evidence that can be required a record of a given consent has (``RequiredEvidence``).
package enum CountedEvidence: String, Hashable, Sendable, CaseIterable {
    case methodAndNotice
    case methodOnly
    case noticeOnly
    /// Some evidence, and neither method nor notice.
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
