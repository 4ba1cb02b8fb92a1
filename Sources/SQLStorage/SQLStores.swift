package import Organizations

/// Every store, on whichever engine.
package struct SQLStores: Sendable {
    package let organizations: SQLOrganizationStore
    package let consents: SQLConsentStore
    package let consentRequests: SQLConsentRequestStore
    package let decisions: SQLDecisionLog
    package let messages: SQLMessageStore
    package let interactions: SQLInteractionStore
    package let reports: SQLReportStore
    package let requests: SQLIdempotencyStore
    package let retention: SQLRetentionStore
    package let leases: SQLJobLeaseStore
    package let ledgers: SQLLedgerStore
    package let rules: SQLRuleFeed

    let database: any SQLDatabase

    /// - Parameters:
    ///   - ledgers: those that the database was opened with.
    ///   - people: with the key that the database was made with (``ErasureKeyCheck``).
    ///   - observer: is told of every change of the rules, as ``rules`` has it.
    package init(
        _ database: any SQLDatabase, ledgers: CommittedLedgers, people: RecipientHasher, observer: any RuleObserver
    ) {
        self.database = database
        let closing = LedgerClosing(database: database, ledgers: ledgers)
        let changes = RuleChangeBuffer(observer: observer)
        let asked = RecipientLookupCache()
        let hashing = RecipientHashing(hasher: people, comparisons: RecipientComparisons(database))
        organizations = SQLOrganizationStore(closing, observer: changes)
        consents = SQLConsentStore(closing, observer: changes, people: hashing, asked: asked)
        consentRequests = SQLConsentRequestStore(closing, observer: changes, people: hashing)
        decisions = SQLDecisionLog(closing, observer: changes, people: hashing, asked: asked)
        messages = SQLMessageStore(closing, observer: changes)
        interactions = SQLInteractionStore(database, people: hashing)
        reports = SQLReportStore(closing)
        requests = SQLIdempotencyStore(database)
        retention = SQLRetentionStore(database)
        leases = SQLJobLeaseStore(database)
        self.ledgers = SQLLedgerStore(closing, people: people)
        rules = SQLRuleFeed(closing, changes: changes)
    }
}
