import Consent
package import Hummingbird
package import Identifiers
package import Organizations
package import UseCases

/// Everything that is held about a recipient, as ``RecipientExportRoutes`` answers it in JSON, for other listeners.
package struct PersonDocument: Sendable {
    private let export: RecipientExport

    /// Reads the first part: if the store cannot be asked, this fails before the document begins.
    package init(
        recipient: RecipientID, organization: Organization, stores: Stores, interactions: LinkedInteractions,
        validity: CallerValidity, look: RecordedAccess, at now: Timestamp
    ) async throws {
        let records = RecipientRecords(
            recipient: recipient, organization: organization, madeAt: now, consent: stores.consent,
            requests: stores.consentRequests, decisions: stores.decisions, interactions: interactions,
            accesses: stores.accesses, validity: validity, look: look)
        export = RecipientExport(records: records, firstConsents: try await records.consents(after: nil))
    }

    /// Writes the document while it is read. If this throws, the document is incomplete.
    package func write(to body: inout any ResponseBodyWriter) async throws { try await export.write(to: &body) }
}
