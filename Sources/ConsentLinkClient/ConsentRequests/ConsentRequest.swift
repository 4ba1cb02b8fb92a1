public import Foundation

/// A request for consent, and its state.
public struct ConsentRequest: Sendable, Hashable, Decodable {
    public let id: String
    /// `nil` once the recipient was erased.
    public let recipient: String?
    public let state: ConsentRequestState
    /// In the order of the request.
    public let purposes: [AskedPurpose]
    /// `nil` once it was forgotten.
    public let notice: ShownNotice?
    /// Whether a yes counts only after a second link was also confirmed.
    public let confirm: Bool
    public let madeAt: Date
    /// From this time on it accepts no answer.
    public let expiresAt: Date
    /// What to send to the recipient. Any client that has it can answer. `nil` with a key without ``Scope/consent``.
    public let url: String?
    /// What to send to the same recipient next; `nil` unless a yes waits for it.
    public let confirmUrl: String?
}

/// The state of a request as a whole.
public struct ConsentRequestState: OpenName {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    public static let open: ConsentRequestState = "open"
    /// A yes waits for the second link.
    public static let awaitingConfirmation: ConsentRequestState = "awaitingConfirmation"
    public static let answered: ConsentRequestState = "answered"
    /// The recipient was asked again, or an answer from another source counts.
    public static let superseded: ConsentRequestState = "superseded"
    /// Its time passed without an answer.
    public static let expired: ConsentRequestState = "expired"
    /// The recipient was erased.
    public static let erased: ConsentRequestState = "erased"
}

/// One purpose of a request, and the state of its answer.
public struct AskedPurpose: Sendable, Hashable, Decodable {
    public let purpose: String
    /// The last recorded answer: ``ConsentState/given`` or ``ConsentState/refused``.
    public let answer: ConsentState?
    /// The id of the record with that answer.
    public let consent: String?
    public let awaitingConfirmation: Bool
    /// Why it accepts no more answers.
    public let closedBy: RequestClosing?
}

/// Why a request takes no more answers.
public struct RequestClosing: OpenName {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The recipient was asked again.
    public static let newerRequest: RequestClosing = "newerRequest"
    /// An answer from another source is later and counts.
    public static let laterAnswer: RequestClosing = "laterAnswer"
}

/// A notice without its text, which the caller has.
public struct ShownNotice: Sendable, Hashable, Decodable {
    public let id: String
    public let version: String
    /// The SHA-256 of the text, in lower-case hexadecimal.
    public let sha256: String
    public let language: String
    /// The URL of the text; `nil` if the page shows the text.
    public let url: String?
}

/// Every request to a recipient, oldest first. Empty for an unknown recipient.
public struct ConsentRequestsOfRecipient: Sendable, Hashable, Decodable {
    public let recipient: String
    public let requests: [ConsentRequest]
}

/// A page of requests that wait for the second link, in the order in which they came to wait for it.
public struct ConsentRequestPage: Sendable, Hashable, Decodable {
    public let requests: [ConsentRequest]
    /// The cursor of the next page; `nil` if there are no more at present.
    public let next: String?
    /// The place after the last request of the page. Keep it to ask for later requests.
    public let cursor: String
}
