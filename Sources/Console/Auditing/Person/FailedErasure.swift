import HTTPTypes

/// Why an erasure from a person's page was not carried out, or not completely. The page says it.
enum FailedErasure: String {
    case mistyped
    /// The person is erased, but files still contain deleted data.
    case uncleared

    private static let member = "erase"

    /// The failure in the address of the page; `nil` if there is none, and if it claims something that did not happen.
    /// - Parameter isErased: whether the person is erased.
    init?(_ call: ConsoleCall, isErased: Bool) {
        switch call.query(Self.member).flatMap(Self.init) {
        case .mistyped: self = .mistyped
        case .uncleared where isErased && call.said(Self.member) != nil: self = .uncleared
        case .uncleared, nil: return nil
        }
    }

    /// The address of the person's page with this failure.
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
