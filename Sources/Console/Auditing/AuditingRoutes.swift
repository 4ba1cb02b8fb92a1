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
        let person = PersonPage(stores: stores, useCases: useCases)
        let ledger = LedgerPage(useCases: useCases)
        return PersonRoutes(accesses: useCases.accesses, page: person).routes
            + PersonFileRoutes(stores: stores, useCases: useCases, now: now).routes
            + ErasureRoutes(recording: useCases.recording).routes
            + DecisionPageRoutes(
                reports: stores.reports,
                sampler: DecisionSampler(ledgers: stores.ledgers, decisions: stores.decisions)
            ).routes
            + LedgerPageRoutes(ledgers: stores.ledgers, page: ledger).routes
            + LedgerExportRoutes(stores: stores, useCases: useCases, page: ledger, now: now).routes
            + AccessListRoutes(accesses: useCases.accesses, keys: stores.organizations).routes
    }
}
