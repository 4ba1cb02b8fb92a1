import HTTPAPI
import Interactions
import Redirect
import UseCases

extension Health {
    /// Ready while the stores accept writes, clicks can be spooled, the clock is right, the ledgers are intact, and the
    /// node has the changes of other nodes. Links need only the spool. A node without a role is never ready for the
    /// requests of that role.
    init(
        roles: Set<ServiceSettings.NodeRole>, stored: StorageParts, ledgers: LedgerParts, recording: RecordingParts,
        departure: Departure
    ) {
        let (statuses, clock, writer) = (stored.statuses, stored.clock, recording.writer)
        let (signer, checker) = (ledgers.signer, ledgers.checker)
        let (shared, watch, ownRing) = (stored.shared, stored.watch, stored.ownRing)
        self.init(ownScope: roles.contains(.api) ? .api : .links, departure: departure) { scope in
            let spooling =
                writer.failure.map { ReadinessReason.clicksUnrecordable("\($0)") }
                ?? writer.unrecordedReason.map { .clicksUnrecorded($0) }
            guard roles.contains(scope == .links ? .links : .api) else { return [.roleMissing("\(scope)")] }
            if let loss = watch.loss { return [.folderLost("\(loss)")] }
            if scope == .links { return [spooling].compactMap(\.self) }
            let node = shared.flatMap(NodeService.reasonNotReady)
            let others = [spooling, node, clock.reasonNotReady, checker.reasonNotReady, ownRing.reasonNotReady]
            let parts = statuses().map(\.reasonNotReady) + others
            return parts.compactMap { $0 } + signer.reasonsNotReady
        }
    }
}
