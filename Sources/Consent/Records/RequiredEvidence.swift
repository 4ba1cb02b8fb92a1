/// What an organization that asks for evidence wants to know of a yes. A no needs none: nobody has to prove it.
package enum RequiredEvidence: Hashable, Sendable, CaseIterable {
    /// How it was given.
    case method
    /// Which notice they were shown: its id or the digest of its text.
    case notice
}

extension NewConsentRecord {
    /// The required evidence that the record does not have.
    package var missingEvidence: [RequiredEvidence] {
        guard state == .given else { return [] }
        return RequiredEvidence.allCases.filter { !(evidence?.has($0) ?? false) }
    }
}

extension ConsentEvidence {
    package func has(_ required: RequiredEvidence) -> Bool {
        switch required {
        case .method: method?.isEmpty == false
        case .notice: notice?.id?.isEmpty == false || notice?.sha256?.isEmpty == false
        }
    }
}
