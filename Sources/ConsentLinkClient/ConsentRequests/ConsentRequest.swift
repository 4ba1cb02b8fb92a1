public import Foundation

/// A request for consent, and what became of it.
public struct ConsentRequest: Sendable, Hashable, Decodable {
    public let id: String
    /// `nil` once they were erased.
    public let recipient: String?
    public let state: ConsentRequestState
    /// In the order asked for.
    public let purposes: [AskedPurpose]
    /// `nil` once it was forgotten.
    public let notice: ShownNotice?
    /// Whether a yes counts only once a second link was pressed, too.
    public let confirm: Bool
    public let madeAt: Date
    /// From then on it takes no answer.
    public let expiresAt: Date
    /// What to send to the recipient. Any client that has it can answer. `nil` with a key without ``Scope/consent``.
    public let url: String?
    /// What to send to the same recipient next; `nil` unless a yes waits for it.
    public let confirmUrl: String?
}

/// How a request stands as a whole.
public struct ConsentRequestState: OpenName {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    public static let open: ConsentRequestState = "open"
    /// A yes waits for the second link.
    public static let awaitingConfirmation: ConsentRequestState = "awaitingConfirmation"
    public static let answered: ConsentRequestState = "answered"
    /// The recipient was asked again, or an answer from elsewhere counts.
    public static let superseded: ConsentRequestState = "superseded"
    /// Its time passed without an answer.
    public static let expired: ConsentRequestState = "expired"
    /// Nothing is known any more of the recipient.
    public static let erased: ConsentRequestState = "erased"
}

/// One purpose of a request, and how far its answer has come.
public struct AskedPurpose: Sendable, Hashable, Decodable {
    public let purpose: String
    /// What was recorded last: ``ConsentState/given`` or ``ConsentState/refused``.
    public let answer: ConsentState?
    /// The id of the record that it is.
    public let consent: String?
    public let awaitingConfirmation: Bool
    /// Why it takes no answer any more.
    public let closedBy: RequestClosing?
}

public struct RequestClosing: OpenName {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The recipient was asked again.
    public static let newerRequest: RequestClosing = "newerRequest"
    /// An answer from elsewhere is later and counts.
    public static let laterAnswer: RequestClosing = "laterAnswer"
}

/// A notice without its text, which the caller has.
public struct ShownNotice: Sendable, Hashable, Decodable {
    public let id: String
    public let version: String
    /// Of the text, in lower-case hexadecimal.
    public let sha256: String
    public let language: String
    /// Where the text stands; `nil` where the page shows it.
    public let url: String?
}

/// Every request to a recipient, oldest first. Of an unknown one there is none.
public struct ConsentRequestsOfRecipient: Sendable, Hashable, Decodable {
    public let recipient: String
    public let requests: [ConsentRequest]
}

/// A page of requests that wait for the second link, in the order in which they came to wait for it.
public struct ConsentRequestPage: Sendable, Hashable, Decodable {
    public let requests: [ConsentRequest]
    /// For the next page; `nil` when there are no more at present.
    public let next: String?
    /// The place behind the last of them. Keep it: what comes later is asked for with it.
    public let cursor: String
}
