import Cryptography
package import Identifiers
package import Organizations

/// Makes organizations, each with a first key that has every scope in it.
package struct OrganizationCreator: Sendable {
    private let organizations: any OrganizationStore
    private let quotas: QuotaEnforcer
    private let signer: CheckpointSigner

    package init(organizations: any OrganizationStore, quotas: QuotaEnforcer, signer: CheckpointSigner) {
        self.organizations = organizations
        self.quotas = quotas
        self.signer = signer
    }

    /// Why there is no new organization. Nothing was made.
    package enum Refusal: Error, Hashable {
        case taken
        /// There is a checkpoint of an earlier ledger of this name, which a new ledger would contradict permanently.
        case formerLedger
    }

    /// Durable on return.
    /// - Returns: the first key, and its credential, which is shown once.
    /// - Throws: ``Refusal``, or a `StoreFailure`.
    package func make(_ organization: Organization, at now: Timestamp) async throws -> (
        key: APIKey, secret: Credential
    ) {
        if try await organizations.organization(organization.id) == nil,
            try await signer.hasCheckpoint(of: organization.id)
        {
            throw Refusal.formerLedger
        }
        var generator = SecureRandom()
        let credential = Credential(using: &generator)
        let first = NewAPIKey(digest: credential.digest, name: "first key", scopes: Set(Scope.allCases))
        guard let key = try await organizations.create(organization, firstKey: first, at: now) else {
            throw Refusal.taken
        }
        if organization.quotas != .unlimited { await quotas.refresh(organization.id) }
        return (key, credential)
    }
}
