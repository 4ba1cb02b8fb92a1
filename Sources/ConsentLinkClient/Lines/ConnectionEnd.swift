/// How a connection on which lines were exchanged ended.
enum ConnectionEnd: Sendable {
    /// Every line is answered.
    case done
    /// Another connection may succeed. `isTemporary`: the service answered that it cannot serve the request now.
    case broken(ConsentLinkError, isTemporary: Bool)
    case failed(any Error)

    /// - Parameter isInDoubt: whether lines without an answer may have been carried out.
    /// - Throws: the error, if another connection cannot help.
    func finish(isInDoubt: Bool) throws {
        guard case .failed(let error) = self else { return }
        guard isInDoubt, let failure = error as? ConsentLinkError else { throw error }
        throw failure.withDoubt
    }
}
