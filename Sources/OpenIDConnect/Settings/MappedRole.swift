/// A role of an account in the console, which gives each role its rights.
package enum MappedRole: Hashable, Sendable {
    /// A role for the whole service.
    case `operator`
    /// `organization` has the form of an organization's id; the console must check whether it exists.
    case member(MemberRole, organization: String)

    /// A role in one organization.
    package enum MemberRole: String, CaseIterable, Hashable, Sendable {
        case marketer
        case auditor
        case manager
    }
}
