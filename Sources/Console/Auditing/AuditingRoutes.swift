import Identifiers
import UseCases

/// The auditors' pages.
struct AuditingRoutes {
    let stores: Stores
    let useCases: AuditingUseCases
    let now: @Sendable () -> Timestamp

    init(_ stores: Stores, _ useCases: AuditingUseCases, now: @escaping @Sendable () -> Timestamp) {
        self.stores = stores
        self.useCases = useCases
        self.now = now
    }

    var routes: [ConsoleRoute] {
        PersonRoutes(stores: stores, useCases: useCases).routes
            + PersonFileRoutes(stores: stores, useCases: useCases, now: now).routes
            + ErasureRoutes(recording: useCases.recording).routes
            + DecisionPageRoutes(
                reports: stores.reports,
                sampling: DecisionSampling(ledgers: stores.ledgers, decisions: stores.decisions)
            ).routes
            + LedgerPageRoutes(ledgers: stores.ledgers, useCases: useCases).routes
            + LedgerExportRoutes(stores: stores, useCases: useCases, now: now).routes
            + LookRoutes(accesses: useCases.accesses).routes
    }
}
