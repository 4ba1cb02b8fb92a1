import HTTPTypes

/// Why a request of the console is not carried out. It changes nothing.
enum ConsoleRefusal: Error, Hashable {
    /// Also for what belongs to another organization: what somebody may not see does not exist for them.
    case notFound
    /// The role does not suffice.
    case notAllowed
    case methodNotAllowed([String])
    /// The request does not come from a page of the console.
    case crossSite
    /// The form lacks its token, or has another's.
    case foreignForm
    case expiredForm
    case sentBefore
    /// The host is neither this machine's loopback nor the one that is set.
    case foreignHost
    /// Too many failed sign-ins; the next may be made after so many seconds.
    case mustWait(seconds: Int64)
    /// What somebody typed does not fit. Names the field.
    case unfit(field: String, InputFault)
    case malformedForm
    case tooLarge
    /// The address is longer than any of the console's own, or has more members.
    case targetTooLong
    /// A person's page was open for longer than it may be, or in another session.
    case caseClosed
    /// The store, or the ledger, cannot be asked now.
    case unavailable
    /// As many heavy pages of the organization are being made, or sign-ins of the address ended, as may be at once.
    case busy

    /// What does not fit.
    enum InputFault: Hashable, Sendable {
        case missing
        /// In Unicode scalars.
        case tooLong(Int)
        /// In UTF-8.
        case tooManyBytes(Int)
        case malformed
        case unknown
    }

    /// What somebody who uses the console's own form may come upon, by the name that it has in an address.
    static let ofForms: [String: ConsoleRefusal] = [
        "expired": .expiredForm, "sent": .sentBefore, "closed": .caseClosed, "unavailable": .unavailable,
    ]

    var status: HTTPResponse.Status {
        switch self {
        case .notFound: .notFound
        case .notAllowed, .crossSite, .foreignForm: .forbidden
        case .methodNotAllowed: .methodNotAllowed
        case .expiredForm, .sentBefore: .conflict
        case .foreignHost: .misdirectedRequest
        case .mustWait: .tooManyRequests
        case .unfit: .unprocessableContent
        case .malformedForm: .badRequest
        case .tooLarge: .contentTooLarge
        case .targetTooLong: .uriTooLong
        case .caseClosed: .gone
        case .unavailable, .busy: .serviceUnavailable
        }
    }
}
