import HTTPTypes
import Hummingbird
import Organizations

/// One method of one path of the console, and the accounts that may use it.
struct ConsoleRoute: Sendable {
    enum Authorization: Sendable {
        /// Any browser, signed in or not.
        case anyone
        /// Any signed-in account, in any role.
        case signedIn
        /// Accounts with one of these roles in the organization of the path; the operator always.
        case roles(Set<ConsoleRole>)
        case operatorAlone

        /// Whether browsers that are not signed in may use it, too.
        var isOpenToAnyone: Bool { if case .anyone = self { true } else { false } }
    }

    /// Whether its effect cannot be undone, so that the user must have proved recently who they are.
    enum Gravity: Sendable {
        case usual
        case grave
    }

    /// How much processor time its answer needs.
    enum Work: Sendable {
        case usual
        /// Possibly much: it reads a stored mail, or thousands of rows. Only a few of one organization are made at
        /// once.
        case heavy
    }

    /// What only the answer to the first sending of its form shows. The answer to a second one says how to go on.
    enum FirstSending: Sendable {
        /// Nothing: a page shows what was done.
        case shown
        case newKey
        case newOrganization
        case signIn
    }

    let method: HTTPRequest.Method
    let path: String
    let authorization: Authorization
    let gravity: Gravity
    let work: Work
    /// Whether its form has fields that the browser must not keep, such as a recipient. Browsers keep a form that is
    /// answered with a page, to send it again; they forget a form that is answered with a redirect.
    let isDiscreet: Bool
    let firstSending: FirstSending
    let handle: @Sendable (ConsoleCall) async throws -> ConsoleResponse

    /// Whether a browser saves its answer.
    var isFile: Bool { FilePath.allCases.contains { $0.rawValue == path } }

    private init(
        _ method: HTTPRequest.Method, _ path: String, _ authorization: Authorization, _ gravity: Gravity, _ work: Work,
        isDiscreet: Bool, _ firstSending: FirstSending,
        _ handle: @escaping @Sendable (ConsoleCall) async throws -> ConsoleResponse
    ) {
        self.method = method
        self.path = path
        self.authorization = authorization
        self.gravity = gravity
        self.work = work
        self.isDiscreet = isDiscreet
        self.firstSending = firstSending
        self.handle = handle
    }

    /// A page, which changes nothing.
    static func page(
        _ path: String, _ authorization: Authorization, work: Work = .usual,
        _ handle: @escaping @Sendable (ConsoleCall) async throws -> ConsoleResponse
    ) -> ConsoleRoute {
        ConsoleRoute(.get, path, authorization, .usual, work, isDiscreet: false, .shown, handle)
    }

    /// A file, which changes nothing. It is refused if another site made the browser ask for it.
    static func file(
        _ path: FilePath, _ authorization: Authorization,
        _ handle: @escaping @Sendable (ConsoleCall) async throws -> ConsoleResponse
    ) -> ConsoleRoute {
        page(path.rawValue, authorization) { call in
            try call.requireOwnSite()
            return try await handle(call)
        }
    }

    /// The action of a form. The form must be one that the console gave to this browser for this address. A discreet
    /// form has a page under the same address, and is answered only with redirects.
    static func form(
        _ path: String, _ authorization: Authorization, gravity: Gravity = .usual, work: Work = .usual,
        isDiscreet: Bool = false, firstSending: FirstSending = .shown,
        _ handle: @escaping @Sendable (ConsoleCall) async throws -> ConsoleResponse
    ) -> ConsoleRoute {
        ConsoleRoute(.post, path, authorization, gravity, work, isDiscreet: isDiscreet, firstSending, handle)
    }
}
