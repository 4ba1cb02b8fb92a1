package import Consent
package import Interactions
package import Ledger
package import Messages
package import Organizations
package import Reports
package import Webhooks

/// Every store from which requests are answered, on any storage.
package struct Stores: Sendable {
    package let organizations: any OrganizationStore
    package let messages: any MessageStore & MessageArchive
    package let consent: any ConsentStore
    package let consentRequests: any ConsentRequestStore
    package let accesses: any AccessLog
    package let decisions: any DecisionLog
    package let interactions: any InteractionStore
    package let reports: any ReportStore
    package let ledgers: any LedgerStore
    package let endpoints: any EndpointStore

    package init(
        organizations: any OrganizationStore, messages: any MessageStore & MessageArchive, consent: any ConsentStore,
        consentRequests: any ConsentRequestStore, accesses: any AccessLog, decisions: any DecisionLog,
        interactions: any InteractionStore,
        reports: any ReportStore,
        ledgers: any LedgerStore, endpoints: any EndpointStore
    ) {
        self.organizations = organizations
        self.messages = messages
        self.consent = consent
        self.consentRequests = consentRequests
        self.accesses = accesses
        self.decisions = decisions
        self.interactions = interactions
        self.reports = reports
        self.ledgers = ledgers
        self.endpoints = endpoints
    }
}
