import HTTPTypes

/// Why the console does not carry out a request. A refused request changes nothing.
enum ConsoleRefusal: Error, Hashable {
    /// Also for things of another organization: for an account that may not see them they do not exist.
    case notFound
    /// A file needs a session, and there is none. A browser would save the page for signing in under the file's name.
    case signedOut
    /// The account's roles do not suffice.
    case notAllowed
    case methodNotAllowed([String])
    /// The request does not come from a page of the console.
    case crossSite
    /// The form has no token, or the token of another form.
    case foreignForm
    case expiredForm
    case sentBefore(ConsoleRoute.FirstSending)
    /// The host is neither this machine's loopback nor the one that is set.
    case foreignHost
    /// There were too many failed sign-ins; the next one is allowed after `seconds`.
    case mustWait(seconds: Int64)
    /// An input is invalid. Names the field.
    case unfit(field: String, InputFault)
    case malformedForm
    case tooLarge
    /// The address is longer than any of the console's own, or has more members.
    case targetTooLong
    /// A person's page was open for too long, or was opened in another session.
    case caseClosed
    /// A proxy before the console speaks HTTP/1.0, and what is asked for needs chunks.
    case olderVersion
    /// The store, or the ledger, cannot be asked now.
    case unavailable
    /// The organization has as many heavy pages in progress, or the address as many sign-ins, as are allowed at once.
    case busy

    /// Why an input is invalid.
    enum InputFault: Hashable, Sendable {
        case missing
        /// In Unicode scalars.
        case tooLong(Int)
        /// In bytes of UTF-8.
        case tooManyBytes(Int)
        case malformed
        case unknown
        /// The end of a time is before its beginning.
        case beforeBeginning
    }

    /// Whether it came before the act, and the same form can be sent again.
    var isBeforeAct: Bool {
        switch self {
        case .unavailable, .busy: true
        default: false
        }
    }

    /// Whether its text says to open the page of the form again.
    var leadsBack: Bool {
        switch self {
        case .sentBefore(.signIn): false
        case .expiredForm, .sentBefore, .caseClosed, .unavailable, .busy: true
        default: false
        }
    }

    /// The refusals that a user of the console's own forms may get, by their names in an address.
    static let ofForms: [String: ConsoleRefusal] = [
        "expired": .expiredForm, "sent": .sentBefore(.shown), "closed": .caseClosed, "unavailable": .unavailable,
    ]

    var status: HTTPResponse.Status {
        switch self {
        case .notFound: .notFound
        case .signedOut, .notAllowed, .crossSite, .foreignForm: .forbidden
        case .methodNotAllowed: .methodNotAllowed
        case .expiredForm, .sentBefore: .conflict
        case .foreignHost: .misdirectedRequest
        case .mustWait: .tooManyRequests
        case .unfit: .unprocessableContent
        case .malformedForm: .badRequest
        case .tooLarge: .contentTooLarge
        case .targetTooLong: .uriTooLong
        case .caseClosed: .gone
        case .olderVersion: .upgradeRequired
        case .unavailable, .busy: .serviceUnavailable
        }
    }
}
