import HTTPTypes

/// Why an erasure that was asked for on a person's page is not, or not wholly, carried out. The page says it.
enum FailedErasure: String {
    case mistyped
    /// The person is erased. Files are not cleared yet of what was deleted.
    case uncleared

    private static let member = "erase"

    /// What the address of the page says; `nil` where it says nothing, and where it claims what did not happen.
    /// - Parameter isErased: whether the person is.
    init?(_ call: ConsoleCall, isErased: Bool) {
        switch call.query(Self.member).flatMap(Self.init) {
        case .mistyped: self = .mistyped
        case .uncleared where isErased && call.said(Self.member) != nil: self = .uncleared
        case .uncleared, nil: return nil
        }
    }

    /// The address of the person's page that says it.
    func address(of person: PersonCase, _ call: ConsoleCall) throws -> String {
        let path = call.path("\(PersonRoutes.area)/\(person.id)")
        switch self {
        case .mistyped: return ConsoleCall.address(path, [(Self.member, rawValue)])
        case .uncleared: return try call.address(of: path, saying: [(Self.member, rawValue)])
        }
    }

    func text(_ texts: PersonTexts) -> String {
        switch self {
        case .mistyped: texts.eraseMismatch
        case .uncleared: texts.uncleared
        }
    }

    var status: HTTPResponse.Status {
        switch self {
        case .mistyped: .unprocessableContent
        case .uncleared: .serviceUnavailable
        }
    }
}
