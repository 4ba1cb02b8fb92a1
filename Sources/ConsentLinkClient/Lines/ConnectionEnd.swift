/// How a connection on which lines were exchanged ended.
enum ConnectionEnd: Sendable {
    /// Every line is answered.
    case done
    /// Another connection may do. `isTemporary`: the service is there and said itself that it cannot just now.
    case broken(ConsentLinkError, isTemporary: Bool)
    case failed(any Error)

    /// - Throws: what cannot be mended by another connection.
    func finish() throws {
        if case .failed(let error) = self { throw error }
    }
}
