/// Which of a consent request's two links a recipient follows.
package enum ConsentRequestStep: Hashable, Sendable, CaseIterable {
    /// The first: it asks.
    case question
    /// The second, where the organization wants a yes confirmed. It is made only after a yes.
    case confirmation
}
