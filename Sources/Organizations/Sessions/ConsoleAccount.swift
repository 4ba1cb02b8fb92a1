package import Identifiers

/// Who is signed in to the console, and what they may do there.
package struct ConsoleAccount: Hashable, Sendable {
    /// How they proved who they are.
    package enum Origin: Hashable, Sendable {
        /// The operator's key, or a link that was made with it. Its digest tells later whether it is the key still.
        case operatorKey(AccessKeyDigest)
        /// A key of an organization. Its digest tells later whether it exists still.
        case key(AccessKeyDigest)
        /// An OpenID provider.
        case provider
    }

    /// Tells accounts apart, and stands in the ledger: `operator`, the id of a key, or `SUBJECT@ISSUER`.
    package let name: String
    package let origin: Origin
    package let grants: Set<ConsoleGrant>

    package init(name: String, origin: Origin, grants: Set<ConsoleGrant>) {
        self.name = name
        self.origin = origin
        self.grants = grants
    }

    package var isOperator: Bool { grants.contains(ConsoleGrant(.operator, in: nil)) }

    /// In the order of their ids. The operator has none of their own: all are theirs.
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
