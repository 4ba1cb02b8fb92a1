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
    package let commitCounter: SQLCommitCounter
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
        _ database: any SQLDatabase, ledgers: CommittedLedgers, hasher: RecipientHasher, rules: RuleHistory
    ) {
        self.database = database
        let guarded = GuardedDatabase(database: database, ledgers: ledgers)
        let (asked, found) = (RecipientLookupCache(), FoundReferences())
        let hashing = RecipientHashing(hasher: hasher, comparisons: RecipientComparisons(database))
        organizations = SQLOrganizationStore(guarded)
        consents = SQLConsentStore(guarded, hashing: hashing, asked: asked, found: found)
        consentRequests = SQLConsentRequestStore(guarded, hashing: hashing)
        accesses = SQLAccessLog(guarded, hashing: hashing)
        decisions = SQLDecisionLog(guarded, hashing: hashing, asked: asked)
        messages = SQLMessageStore(guarded)
        interactions = SQLInteractionStore(guarded, hashing: hashing, found: found)
        reports = SQLReportStore(guarded)
        requests = SQLIdempotencyStore(database)
        retention = SQLRetentionStore(database)
        leases = SQLJobLeaseStore(database)
        commitCounter = SQLCommitCounter(database)
        endpoints = SQLEndpointStore(guarded)
        deliveries = SQLDeliveryStore(guarded)
        sessions = SQLSessionStore(database)
        clockHistory = SQLClockHistoryStore(database)
        self.ledgers = SQLLedgerStore(guarded, hasher: hasher)
        self.rules =
            switch rules {
            case .ofOneProcess(let changes):
                SQLRuleFeed(guarded, source: RulesOfOneProcess(database: database, changes: changes))
            case .shared(let source): SQLRuleFeed(guarded, source: source)
            }
    }
}

/// The place where the changes of the rules are kept.
package enum RuleHistory {
    /// In memory: no other process has the database open.
    case ofOneProcess(RuleChangeBuffer)
    case shared(any RuleSource)
}
