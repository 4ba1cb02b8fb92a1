package import Consent
package import Identifiers
import Synchronization

/// The recording rules of all organizations. The consent store tells it of every change (see ``ConsentObserver``).
package final class RecordingRulesTable: ConsentObserver {
    /// Guards the table, not the rules in it.
    private let table = Mutex<[OrganizationID: RecordingRules]>([:])
    /// Until when all rules are known.
    package let known: KnownUntil

    /// - Parameter known: for a node, which is told of changes by other nodes, one that is shared.
    package init(known: KnownUntil = KnownUntil()) { self.known = known }

    /// The rules of `organization`. The object is the same for the life of the process.
    package func rules(of organization: OrganizationID) -> RecordingRules {
        table.withLock { table in
            if let rules = table[organization] { return rules }
            let rules = RecordingRules(known: known)
            table[organization] = rules
            return rules
        }
    }

    package func historyReplaced() {
        for rules in table.withLock({ Array($0.values) }) { rules.keepsEnds = true }
    }

    package func consentChanged(_ changes: [ConsentChange], in organization: OrganizationID) {
        rules(of: organization).apply(changes)
    }

    package func recipientErased(_ reference: RecipientReference, in organization: OrganizationID) {
        rules(of: organization).erase(reference)
    }

    package func recordingReloaded(
        _ ends: [RecordingScope: [RecordingEnd]], enforcement: Enforcement, in organization: OrganizationID
    ) {
        rules(of: organization).reload(ends, enforcement: enforcement)
    }

    package func privacyControlChanged(isHonored: Bool, in organization: OrganizationID) {
        rules(of: organization).honorsGPC = isHonored
    }
}
