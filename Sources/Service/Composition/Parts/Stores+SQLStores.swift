import SQLStorage
import UseCases

extension Stores {
    init(_ stores: SQLStores) {
        self.init(
            organizations: stores.organizations, messages: stores.messages, consent: stores.consents,
            consentRequests: stores.consentRequests, accesses: stores.accesses, decisions: stores.decisions,
            interactions: stores.interactions, reports: stores.reports,
            ledgers: stores.ledgers, endpoints: stores.endpoints)
    }
}
