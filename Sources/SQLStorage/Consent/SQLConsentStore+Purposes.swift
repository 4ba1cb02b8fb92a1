package import Consent
package import Identifiers
import SQL

extension SQLConsentStore {
    package func recordedPurposes(
        among purposes: Set<Purpose>, in organization: OrganizationID, limit: Int
    ) async throws -> RecordedPurposes {
        try await guarded.read(of: organization) { db in
            guard let number = try OrganizationRow.number(ifAny: organization, db) else {
                return RecordedPurposes(known: [], count: 0)
            }
            guard try ConsentCountFilling.isFinished(db) else { return RecordedPurposes(known: purposes, count: 0) }
            let (count, named) = try ConsentCountTable.purposeNames(of: number, limit: limit, db)
            let known = purposes.intersection(named)
            // Fewer than `limit` names are all that there are. An organization of an earlier version may have more.
            guard count >= limit else { return RecordedPurposes(known: known, count: count) }
            let others = try purposes.subtracting(named).filter { purpose in
                guard let purpose = try PurposeRow.find(purpose, db) else { return false }
                return try ConsentCountTable.hasRecords(of: number, for: purpose, db)
            }
            return RecordedPurposes(known: known.union(others), count: count)
        }
    }
}
