/// A page of requests that wait for the second link, in the order in which they came to wait for it.
public struct ConsentRequestPage: Sendable, Hashable, Decodable {
    public let requests: [ConsentRequest]
    /// The cursor of the next page; `nil` if there are no more at present.
    public let next: String?
    /// The place after the last request of the page. Keep it to ask for later requests.
    public let cursor: String
}
