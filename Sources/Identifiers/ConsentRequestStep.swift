/// One of the two links of a consent request.
package enum ConsentRequestStep: Hashable, Sendable, CaseIterable {
    /// The first link, which asks.
    case question
    /// The second link, if the organization wants a yes confirmed. It is made only after a yes.
    case confirmation
}
