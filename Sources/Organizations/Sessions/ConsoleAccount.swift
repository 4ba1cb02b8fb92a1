package import Identifiers

/// A user who is signed in to the console, with their permissions there.
package struct ConsoleAccount: Hashable, Sendable {
    /// How the user has proved their identity.
    package enum Origin: Hashable, Sendable {
        /// With the operator's key, or a link that was made with it. Its digest tells later whether it is still the
        /// key.
        case operatorKey(APIKeyDigest)
        /// With a key of an organization. Its digest tells later whether the key still exists.
        case key(APIKeyDigest)
        /// With an OpenID provider.
        case provider
    }

    /// Identifies the account, and is in the ledger: `operator`, the id of a key, or `SUBJECT@ISSUER`.
    package let name: String
    package let origin: Origin
    package let grants: Set<ConsoleGrant>

    package init(name: String, origin: Origin, grants: Set<ConsoleGrant>) {
        self.name = name
        self.origin = origin
        self.grants = grants
    }

    /// The key with which the user has proved their identity, if it was one.
    package var key: APIKeyID? {
        guard case .key = origin else { return nil }
        return try? APIKeyID(name)
    }

    package var isOperator: Bool { grants.contains(ConsoleGrant(.operator, in: nil)) }

    /// In the order of their ids. Empty for the operator, who has access to all organizations.
    package var organizations: [OrganizationID] {
        Set(grants.compactMap(\.organization)).sorted { $0.description < $1.description }
    }

    /// Whether it has one of `roles` in `organization`. The operator has every role in every organization.
    package func has(_ roles: Set<ConsoleRole>, in organization: OrganizationID?) -> Bool {
        if isOperator { return true }
        guard let organization else { return false }
        return roles.contains { grants.contains(ConsoleGrant($0, in: organization)) }
    }
}
