import Consent
import HTTPAPI
import Identifiers
import Ledger
import Organizations
import Redirect
import UseCases

/// The files about a person: proofs of decisions and consent records, and everything that is held. Each is a look of
/// its own.
struct PersonFileRoutes {
    let stores: Stores
    let useCases: AuditingUseCases
    let now: @Sendable () -> Timestamp

    var routes: [ConsoleRoute] {
        [
            .file(.decisionProof, .roles([.auditor]), decisionProof),
            .file(.consentProof, .roles([.auditor]), consentProof),
            .file(.personExport, .roles([.auditor]), export),
        ]
    }

    @Sendable private func decisionProof(_ call: ConsoleCall) async throws -> ConsoleResponse {
        return try await PersonRoutes.inCase(call) { person in
            let (id, organization) = (try call.id("id", as: DecisionID.self), try call.requiredOrganization.id)
            // A case gives no access to other people.
            guard let recipient = try await stores.decisions.decision(id, in: organization)?.recipient,
                try await isSame(recipient, person.recipient, in: organization)
            else { throw ConsoleRefusal.notFound }
            try await person.record(.decisions, useCases.accesses, call)
            return try file("decision-\(id)", try await useCases.proofs.proof(of: id, in: organization))
        }
    }

    @Sendable private func consentProof(_ call: ConsoleCall) async throws -> ConsoleResponse {
        return try await PersonRoutes.inCase(call) { person in
            let (id, organization) = (try call.id("id", as: ConsentRecordID.self), try call.requiredOrganization.id)
            guard try await PersonRecords.hasConsent(id, of: person.recipient, stores.consent, in: organization) else {
                throw ConsoleRefusal.notFound
            }
            try await person.record(.consents, useCases.accesses, call)
            return try file("consent-\(id)", try await useCases.proofs.proof(of: id, in: organization))
        }
    }

    /// Whether two spellings name the same person.
    private func isSame(
        _ one: RecipientID, _ other: RecipientID, in organization: OrganizationID
    ) async throws -> Bool {
        if one == other { return true }
        guard let known = try await stores.consent.firstName(of: other, in: organization) else { return false }
        return try await stores.consent.firstName(of: one, in: organization) == known
    }

    private func file(_ name: String, _ proof: [UInt8]?) throws -> ConsoleResponse {
        guard let proof else { throw ConsoleRefusal.notFound }
        return .file(name: "\(name).tlog-proof", mediaType: "text/plain; charset=utf-8", bytes: proof)
    }

    @Sendable private func export(_ call: ConsoleCall) async throws -> ConsoleResponse {
        return try await PersonRoutes.inCase(call) { person in
            let organization = try call.requiredOrganization
            let recipient = try await stores.consent.firstName(of: person.recipient, in: organization.id)
            await useCases.drain.catchUp()
            let look = try await person.look(.export, useCases.accesses, call)
            let document = try await PersonDocument(
                recipient: recipient ?? person.recipient, organization: organization, stores: stores,
                interactions: useCases.interactions, validity: call.validity(now), look: look, at: now())
            call.log("recipient.export")
            return .stream(name: "person.json", mediaType: "application/json") { try await document.write(to: &$0) }
        }
    }
}

extension ConsoleCall {
    /// The access lasts as long as the session.
    func validity(_ now: @escaping @Sendable () -> Timestamp) -> CallerValidity {
        CallerValidity { [tools, holder] in try await tools.sessions.session(holder, isUse: false, at: now()) != nil }
    }
}
