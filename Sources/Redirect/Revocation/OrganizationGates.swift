package import Consent
package import Identifiers
import Synchronization

/// The gates of all organizations. It is what a consent store tells of every change (see ``ConsentObserver``).
package final class OrganizationGates: ConsentObserver {
    /// Guards the table, not the gates.
    private let gates = Mutex<[OrganizationID: OrganizationGate]>([:])

    package init() {}

    /// The gate of `organization`, which stays the same object for the life of the process.
    package func gate(of organization: OrganizationID) -> OrganizationGate {
        gates.withLock { gates in
            if let gate = gates[organization] { return gate }
            let gate = OrganizationGate()
            gates[organization] = gate
            return gate
        }
    }

    package func consentChanged(_ changes: [ConsentChange], in organization: OrganizationID) {
        gate(of: organization).apply(changes)
    }

    package func recipientErased(_ reference: RecipientReference, in organization: OrganizationID) {
        gate(of: organization).erase(reference)
    }

    package func recordingReloaded(
        _ ends: [Purpose: [RecordingEnd]], enforcement: Enforcement, in organization: OrganizationID
    ) {
        gate(of: organization).reload(ends, enforcement: enforcement)
    }

    package func privacyControlChanged(isHonored: Bool, in organization: OrganizationID) {
        gate(of: organization).honorsGPC = isHonored
    }
}
