package import Consent
package import Identifiers

/// Finds organizations. All calls may be concurrent.
package protocol OrganizationDirectory: Sendable {
    /// The organization with `id`; `nil` if there is none.
    func organization(_ id: OrganizationID) async throws -> Organization?

    /// Every organization, for the start of a service.
    func all() async throws -> [Organization]

    /// The quotas of the organizations that have any.
    func quotas() async throws -> [OrganizationID: Quotas]

    /// Which enforcement applied at which time; `nil` if there is no such organization.
    func enforcementHistory(of organization: OrganizationID) async throws -> EnforcementHistory?
}
