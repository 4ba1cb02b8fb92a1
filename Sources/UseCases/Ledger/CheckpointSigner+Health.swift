package import Counting
package import Identifiers
package import Ledger
import Logging
import Synchronization

extension CheckpointSigner {
    /// Why the service is not ready.
    package nonisolated var reasonsNotReady: [ReadinessReason] {
        let record = record.withLock { $0 }
        let failure = record.failure.map { ReadinessReason.checkpointsStopped("\($0)") }
        let shortage = record.shortage.map { ReadinessReason.checkpointsUnwritten("\($0)") }
        return [failure, shortage].compactMap { $0 }
            + store.inconsistencies.map(\.description).sorted().map(ReadinessReason.ledgerClosed)
    }

    /// Why the ledger of an organization is closed; `nil` if it is open.
    package nonisolated func reason(for organization: OrganizationID) -> LedgerInconsistency? {
        store.inconsistencies.first { $0.organization == organization }
    }

    /// The organizations whose ledgers are closed, in the order of their ids.
    package nonisolated var closedLedgers: [OrganizationID] {
        store.inconsistencies.map(\.organization).sorted { $0.description < $1.description }
    }

    package nonisolated func warnOfCopy() {
        logger.warning(
            """
            this data folder is a copy: it was copied or put back since it was last used; it does not have the data \
            that was recorded after the copy was made
            """)
    }
}

extension CheckpointSigner: MetricSource {
    package nonisolated var metrics: [MetricFamily] {
        let record = record.withLock { $0 }
        return [
            .counter(
                "consentlink_checkpoints_signed_total", "Checkpoints of ledgers that were signed.",
                record.signedCount),
            .counter(
                "consentlink_checkpoints_failed_total", "Checkpoints that should have been signed and were not.",
                record.failedCount),
            .counter(
                "consentlink_checkpoints_missing_total",
                "Checkpoints that were not in the folder when the service started.", record.missingCount),
            .counter(
                "consentlink_checkpoints_late_entries_total",
                "Entries that were signed at the start, because the process before had not signed them.",
                record.lateCount),
            record.lag.metric(at: .now),
        ]
    }
}
