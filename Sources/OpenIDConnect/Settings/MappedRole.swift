/// What an account may do in the console. The console has rights of its own for each.
package enum MappedRole: Hashable, Sendable {
    /// Of the whole service.
    case `operator`
    /// `organization` has the form of an organization's id; whether there is one is for the console to find out.
    case member(MemberRole, organization: String)

    /// Of one organization.
    package enum MemberRole: String, CaseIterable, Hashable, Sendable {
        case marketer
        case auditor
        case manager
    }
}
