package import Consent
package import Identifiers

/// What memory knows that follows the changes it is told of: from when on nothing is recorded about whom.
package struct RulesInMemory: Hashable {
    package struct Subject: Hashable {
        package let reference: RecipientReference
        package let scope: RecordingScope

        package init(_ reference: RecipientReference, _ scope: RecordingScope = .purpose(.tracking)) {
            self.reference = reference
            self.scope = scope
        }
    }

    private struct Rules: Hashable {
        var enforcement: Enforcement?
        var ends: [Subject: Timestamp] = [:]
        /// They have no ends besides.
        var erased: Set<RecipientReference> = []

        mutating func erase(_ reference: RecipientReference) {
            erased.insert(reference)
            ends = ends.filter { $0.key.reference != reference }
        }
    }

    private var organizations: [OrganizationID: Rules] = [:]

    package init(_ events: [RecordingObserver.Event] = []) { for event in events { follow(event) } }

    package mutating func follow(_ event: RecordingObserver.Event) {
        switch event {
        case .changed(let changes, let organization):
            guard let enforcement = organizations[organization]?.enforcement else { return }
            let policy = ConsentPolicy(enforcement: enforcement)
            for change in changes where organizations[organization]?.erased.contains(change.reference) == false {
                for (scope, end) in policy.recordingEnds(for: change.status, of: change.purpose) {
                    organizations[organization]?.ends[Subject(change.reference, scope)] = end
                }
            }
        case .erased(let reference, let organization):
            organizations[organization, default: Rules()].erase(reference)
        case .reloaded(let ends, let enforcement, let organization):
            organizations[organization, default: Rules()].enforcement = enforcement
            let erased = organizations[organization]?.erased ?? []
            organizations[organization]?.ends = Dictionary(
                uniqueKeysWithValues: ends.filter { !erased.contains($0.reference) }
                    .map { (Subject($0.reference, $0.scope), $0.end) })
        }
    }

    package func enforcement(of organization: OrganizationID) -> Enforcement? {
        organizations[organization]?.enforcement
    }

    /// `nil` for never.
    package func recordingEnd(of subject: Subject, in organization: OrganizationID) -> Timestamp? {
        guard let rules = organizations[organization] else { return nil }
        return rules.erased.contains(subject.reference) ? .distantPast : rules.ends[subject]
    }
}
