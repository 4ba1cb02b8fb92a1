package import Counting
package import Identifiers
package import Ledger
import Logging
import Synchronization

extension CheckpointSigner {
    /// Why the service is not ready.
    package nonisolated var reasonsNotReady: [String] {
        let state = state.withLock { (failure: $0.failure, shortage: $0.shortage) }
        let failure = state.failure.map { "checkpoints cannot be signed until a restart: \($0)" }
        let shortage = state.shortage.map { "checkpoints cannot be written: \($0)" }
        return [failure, shortage].compactMap { $0 }
            + store.breaks.map { "a ledger is closed: \($0)" }.sorted()
    }

    /// Why the ledger of an organization takes nothing; `nil` while it does.
    package nonisolated func reason(for organization: OrganizationID) -> LedgerBreak? {
        store.breaks.first { $0.organization == organization }
    }

    package nonisolated func warnOfCopy() {
        logger.warning(
            """
            this data folder is a copy: it was copied or put back since it was last used; what was recorded after the \
            copy was made is missing from it
            """)
    }
}

extension CheckpointSigner: MetricSource {
    package nonisolated var metrics: [MetricFamily] {
        let (signed, failed, missing, lag) = state.withLock { ($0.signed, $0.failed, $0.missing, $0.lag) }
        return [
            .counter("consentlink_checkpoints_signed_total", "Checkpoints of ledgers that were signed.", signed),
            .counter(
                "consentlink_checkpoints_failed_total", "Checkpoints that should have been signed and were not.",
                failed),
            .counter(
                "consentlink_checkpoints_missing_total",
                "Checkpoints that were not in the folder when the service started.", missing),
            lag.metric(at: .now),
        ]
    }
}
