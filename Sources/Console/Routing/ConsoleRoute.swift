import HTTPTypes
import Hummingbird
import Organizations

/// One method of one path of the console, and who may use it.
struct ConsoleRoute: Sendable {
    enum Access: Sendable {
        /// Signed in or not.
        case anyone
        /// Signed in, in any role.
        case signedIn
        /// In one of these roles, in the organization that stands in the path; the operator always.
        case roles(Set<ConsoleRole>)
        case operatorAlone

        /// Whether those who are not signed in have it, too.
        var isOpenToAnyone: Bool { if case .anyone = self { true } else { false } }
    }

    /// Whether what it does cannot be undone, so that they must have proved who they are a short while ago.
    enum Gravity: Sendable {
        case usual
        case grave
    }

    /// How much a processor has to do for its answer.
    enum Work: Sendable {
        case usual
        /// Possibly much: it reads a stored mail, or thousands of rows. One organization has few of them made at once.
        case heavy
    }

    let method: HTTPRequest.Method
    let path: String
    let access: Access
    let gravity: Gravity
    let work: Work
    /// Whether its form has what no browser may keep, such as a person. Browsers keep a form that a page answers, to send it
    /// again; one that is answered by a redirect they forget.
    let isDiscreet: Bool
    let handle: @Sendable (ConsoleCall) async throws -> ConsoleAnswer

    private init(
        _ method: HTTPRequest.Method, _ path: String, _ access: Access, _ gravity: Gravity, _ work: Work,
        isDiscreet: Bool, _ handle: @escaping @Sendable (ConsoleCall) async throws -> ConsoleAnswer
    ) {
        self.method = method
        self.path = path
        self.access = access
        self.gravity = gravity
        self.work = work
        self.isDiscreet = isDiscreet
        self.handle = handle
    }

    /// A page. It changes nothing.
    static func page(
        _ path: String, _ access: Access, work: Work = .usual,
        _ handle: @escaping @Sendable (ConsoleCall) async throws -> ConsoleAnswer
    ) -> ConsoleRoute {
        ConsoleRoute(.get, path, access, .usual, work, isDiscreet: false, handle)
    }

    /// What a form does. The form is one that the console gave to this browser for this address. One that is discreet has a
    /// page under the same address, and answers with redirects alone.
    static func form(
        _ path: String, _ access: Access, gravity: Gravity = .usual, work: Work = .usual, isDiscreet: Bool = false,
        _ handle: @escaping @Sendable (ConsoleCall) async throws -> ConsoleAnswer
    ) -> ConsoleRoute {
        ConsoleRoute(.post, path, access, gravity, work, isDiscreet: isDiscreet, handle)
    }
}
