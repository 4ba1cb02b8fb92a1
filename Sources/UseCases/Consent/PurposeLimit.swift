import Consent
import Identifiers
import Synchronization

/// Holds organizations to the number of purposes that they may have consent records for.
///
/// Asks the store only about purposes that it has not seen in use. Requests that come at once may pass the limit
/// together, each by its own purposes. While the store cannot be asked nothing is held up: what cannot be recorded then is
/// for the write to say, and a no in the same request may not depend on this.
final class PurposeLimit: Sendable {
    private struct Key: Hashable {
        let organization: OrganizationID
        let purpose: Purpose
    }

    /// More are forgotten, all at once.
    private static let mostKept = 10_000

    private let recorder: any ConsentRecorder
    /// Guards the purposes that have records: a purpose that has some keeps them. Held for a look-up.
    private let known = Mutex<Set<Key>>([])

    init(_ recorder: any ConsentRecorder) { self.recorder = recorder }

    /// - Parameter purposes: of grants, in their order: those that come first are admitted first.
    /// - Returns: those of them that are more than the organization may have.
    func beyond(_ purposes: [Purpose], in organization: OrganizationID) async -> Set<Purpose> {
        let unseen = known.withLock { known in
            Set(purposes).filter { !known.contains(Key(organization: organization, purpose: $0)) }
        }
        guard !unseen.isEmpty else { return [] }
        let asked = try? await recorder.recordedPurposes(
            among: unseen, in: organization, limit: TooManyPurposes.maximumCount)
        guard let recorded = asked else { return [] }
        keep(recorded.known, of: organization)
        var room = TooManyPurposes.maximumCount - recorded.count
        var seen = recorded.known
        var beyond: Set<Purpose> = []
        for purpose in purposes where unseen.contains(purpose) && seen.insert(purpose).inserted {
            if room > 0 { room -= 1 } else { beyond.insert(purpose) }
        }
        return beyond
    }

    private func keep(_ purposes: Set<Purpose>, of organization: OrganizationID) {
        known.withLock { known in
            if known.count + purposes.count > Self.mostKept { known.removeAll() }
            known.formUnion(purposes.prefix(Self.mostKept).map { Key(organization: organization, purpose: $0) })
        }
    }
}
