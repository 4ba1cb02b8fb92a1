package import Consent
package import Identifiers

/// Finds organizations. May be called at once from anywhere.
package protocol OrganizationDirectory: Sendable {
    /// The organization with `id`; `nil` when there is none.
    func organization(_ id: OrganizationID) async throws -> Organization?

    /// Every organization, for the start of a service.
    func all() async throws -> [Organization]

    /// The quotas of the organizations that have any.
    func quotas() async throws -> [OrganizationID: Quotas]

    /// Which enforcement applied when; `nil` when there is no such organization.
    func enforcementHistory(of organization: OrganizationID) async throws -> EnforcementHistory?
}
