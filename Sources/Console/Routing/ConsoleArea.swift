import Identifiers
import Organizations

/// The pages that the navigation leads to.
enum ConsoleArea: String, CaseIterable, Sendable {
    case campaigns
    case consent
    case person
    case decisions
    case ledger
    case access
    case keys
    case processing
    case health
    case organizations
    case signingKeys = "signing-keys"
    case upkeep
    case sessions

    /// The role whose work it is.
    enum Group: CaseIterable, Sendable {
        case marketing
        case auditing
        case managing
        case operating
    }

    var group: Group? {
        switch self {
        case .campaigns, .consent: .marketing
        case .person, .decisions, .ledger, .access: .auditing
        case .keys, .processing: .managing
        case .health, .organizations, .signingKeys, .upkeep: .operating
        case .sessions: nil
        }
    }

    /// The roles that may open it.
    var roles: Set<ConsoleRole> {
        switch self {
        case .campaigns, .consent: [.marketer, .auditor]
        case .person, .decisions, .ledger, .access: [.auditor]
        case .keys: [.manager]
        case .processing: [.marketer, .auditor, .manager]
        case .health, .organizations, .signingKeys, .upkeep: [.operator]
        case .sessions: Set(ConsoleRole.allCases)
        }
    }

    /// Whether it is about one organization, whose id is in its path.
    var isOfOrganization: Bool {
        switch group {
        case .marketing, .auditing, .managing: true
        case .operating, nil: false
        }
    }

    /// - Parameter organization: the id of the organization to show.
    func path(in organization: String?) -> String? {
        guard isOfOrganization else { return "/\(rawValue)" }
        return organization.map { "/orgs/\($0)/\(rawValue)" }
    }

    /// The first page of an account after sign-in.
    static func first(for account: ConsoleAccount) -> String {
        if account.isOperator { return "/health" }
        guard let organization = account.organizations.first else { return "/sessions" }
        let area = allCases.first { $0.isOfOrganization && account.has($0.roles, in: organization) }
        return area?.path(in: organization.description) ?? "/sessions"
    }
}
