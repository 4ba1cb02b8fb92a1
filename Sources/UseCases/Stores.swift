package import Consent
package import Interactions
package import Ledger
package import Messages
package import Organizations

/// Every store that answers are read from, on any storage.
package struct Stores: Sendable {
    package let organizations: any OrganizationStore
    package let messages: any MessageStore
    package let consent: any ConsentStore
    package let decisions: any DecisionLog
    package let interactions: any InteractionStore
    package let ledgers: any LedgerStore

    package init(
        organizations: any OrganizationStore, messages: any MessageStore, consent: any ConsentStore,
        decisions: any DecisionLog, interactions: any InteractionStore, ledgers: any LedgerStore
    ) {
        self.organizations = organizations
        self.messages = messages
        self.consent = consent
        self.decisions = decisions
        self.interactions = interactions
        self.ledgers = ledgers
    }
}
