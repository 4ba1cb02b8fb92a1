import ASCII

/// The evidence that an organization can require for a grant. A no needs no evidence, because it never has to be
/// proved.
package enum RequiredEvidence: Hashable, Sendable, CaseIterable {
    /// How the consent was given.
    case method
    /// The notice that the recipient was shown: its id or the digest of its text.
    case notice
}

extension NewConsentRecord {
    /// The required evidence that the record lacks.
    package var missingEvidence: [RequiredEvidence] {
        guard state == .given else { return [] }
        return RequiredEvidence.allCases.filter { !(evidence?.says($0) ?? false) }
    }
}

extension ConsentEvidence {
    /// Whether something can be read there: a blank method or notice proves nothing.
    fileprivate func says(_ required: RequiredEvidence) -> Bool {
        switch required {
        case .method: method?.isBlank == false
        case .notice: notice?.id?.isBlank == false || notice?.sha256?.isBlank == false
        }
    }

    /// Whether the record has it, as reports count it.
    package func has(_ required: RequiredEvidence) -> Bool {
        switch required {
        case .method: method?.isEmpty == false
        case .notice: notice?.id?.isEmpty == false || notice?.sha256?.isEmpty == false
        }
    }
}
