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

    /// A purpose that something is to be recorded for.
    struct Use {
        let purpose: Purpose
        /// Nothing else is ever refused.
        let isGrant: Bool
    }

    /// - Parameter uses: in the order in which they are to be recorded. What is recorded before counts as if it were
    ///   stored: it does not matter what comes together.
    /// - Returns: the indices of the grants for more purposes than the organization may have.
    func beyond(_ uses: [Use], in organization: OrganizationID) async -> Set<Int> {
        let unseen = known.withLock { known in
            Set(uses.map(\.purpose)).filter { !known.contains(Key(organization: organization, purpose: $0)) }
        }
        guard uses.contains(where: { $0.isGrant && unseen.contains($0.purpose) }) else { return [] }
        let asked = try? await recorder.recordedPurposes(
            among: unseen, in: organization, limit: TooManyPurposes.maximumCount)
        guard let recorded = asked else { return [] }
        keep(recorded.known, of: organization)
        var room = TooManyPurposes.maximumCount - recorded.count
        var used = recorded.known
        var beyond: Set<Int> = []
        for (index, use) in uses.enumerated() where unseen.contains(use.purpose) && !used.contains(use.purpose) {
            if use.isGrant, room <= 0 {
                beyond.insert(index)
            } else {
                used.insert(use.purpose)
                room -= 1
            }
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
