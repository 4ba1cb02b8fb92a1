/// Every store, for any engine.
package struct SQLStores: Sendable {
    package let organizations: SQLOrganizationStore
    package let consents: SQLConsentStore
    package let consentRequests: SQLConsentRequestStore
    package let accesses: SQLAccessLog
    package let decisions: SQLDecisionLog
    package let messages: SQLMessageStore
    package let interactions: SQLInteractionStore
    package let reports: SQLReportStore
    package let requests: SQLIdempotencyStore
    package let retention: SQLRetentionStore
    package let leases: SQLJobLeaseStore
    package let ledgers: SQLLedgerStore
    package let rules: SQLRuleFeed
    package let head: SQLStorageHead
    package let endpoints: SQLEndpointStore
    package let deliveries: SQLDeliveryStore
    package let sessions: SQLSessionStore
    package let clockHistory: SQLClockHistoryStore

    let database: any SQLDatabase

    /// - Parameters:
    ///   - ledgers: those that the database was opened with.
    ///   - people: with the key that the database was made with (``ErasureKeyCheck``).
    ///   - rules: the history that the database was opened with.
    package init(
        _ database: any SQLDatabase, ledgers: CommittedLedgers, people: RecipientHasher, rules: RuleHistory
    ) {
        self.database = database
        let closing = LedgerClosing(database: database, ledgers: ledgers)
        let (asked, found) = (RecipientLookupCache(), FoundReferences())
        let hashing = RecipientHashing(hasher: people, comparisons: RecipientComparisons(database))
        organizations = SQLOrganizationStore(closing)
        consents = SQLConsentStore(closing, people: hashing, asked: asked, found: found)
        consentRequests = SQLConsentRequestStore(closing, people: hashing)
        accesses = SQLAccessLog(closing, people: hashing)
        decisions = SQLDecisionLog(closing, people: hashing, asked: asked)
        messages = SQLMessageStore(closing)
        interactions = SQLInteractionStore(database, people: hashing, found: found)
        reports = SQLReportStore(closing)
        requests = SQLIdempotencyStore(database)
        retention = SQLRetentionStore(database)
        leases = SQLJobLeaseStore(database)
        head = SQLStorageHead(database)
        endpoints = SQLEndpointStore(closing)
        deliveries = SQLDeliveryStore(closing)
        sessions = SQLSessionStore(database)
        clockHistory = SQLClockHistoryStore(database)
        self.ledgers = SQLLedgerStore(closing, people: people)
        self.rules =
            switch rules {
            case .ofOneProcess(let changes):
                SQLRuleFeed(closing, source: RulesOfOneProcess(database: database, changes: changes))
            case .shared(let source): SQLRuleFeed(closing, source: source)
            }
    }
}

/// The place where the changes of the rules are kept.
package enum RuleHistory {
    /// In memory: no other process has the database open.
    case ofOneProcess(RuleChangeBuffer)
    case shared(any RuleSource)
}
