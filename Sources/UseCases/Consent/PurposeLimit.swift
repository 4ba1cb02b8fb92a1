import Consent
import Identifiers
import Synchronization

/// Limits the number of purposes for which an organization may have consent records.
///
/// Asks the store only about purposes that it has not seen in use. Requests at the same time may exceed the limit
/// together, each by its own purposes. If the store cannot be asked, nothing is refused here: the write itself fails if
/// the store still fails, and a no in the same request must not depend on this check.
final class PurposeLimit: Sendable {
    private struct Key: Hashable {
        let organization: OrganizationID
        let purpose: Purpose
    }

    /// If there are more, all are removed.
    private static let maximumKeptCount = 10_000

    private let recorder: any ConsentRecorder
    /// Guards the purposes that have records; such a purpose never loses all of them. Held for a look-up.
    private let known = Mutex<Set<Key>>([])

    init(_ recorder: any ConsentRecorder) { self.recorder = recorder }

    /// A purpose for which a record is to be stored.
    struct Use {
        let purpose: Purpose
        /// Only grants are ever refused.
        let isGrant: Bool
    }

    /// - Parameter uses: in the order in which they are to be recorded. Earlier ones count as if they were stored, so
    ///   the result does not depend on how records are split into requests.
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
            if known.count + purposes.count > Self.maximumKeptCount { known.removeAll() }
            known.formUnion(purposes.prefix(Self.maximumKeptCount).map { Key(organization: organization, purpose: $0) })
        }
    }
}
