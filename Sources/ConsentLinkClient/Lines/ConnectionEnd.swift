/// How a connection on which lines were exchanged ended.
enum ConnectionEnd: Sendable {
    /// Every line is answered.
    case done
    /// Another connection may succeed. `isTemporary`: the service answered that it cannot serve the request now.
    case broken(ConsentLinkError, isTemporary: Bool)
    case failed(any Error)

    /// - Throws: the error, if another connection cannot help.
    func finish() throws {
        if case .failed(let error) = self { throw error }
    }
}
