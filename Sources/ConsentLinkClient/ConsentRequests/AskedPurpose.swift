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
