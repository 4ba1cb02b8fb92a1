/// Requests from before the decoder that the router could answer, too: reports of devices, and pictures.
extension RedirectStateMachine {
    /// The header of a report has arrived, but not all of its body.
    mutating func collectReport() { if followsAtOnce { state = .collecting } }

    /// A whole request has arrived.
    /// - Returns: whether its turn has come; otherwise it waits at the reader.
    mutating func takeTurn() -> Bool {
        switch state {
        case .collecting: break
        case .idle where followsAtOnce: break
        default: return false
        }
        state = .following
        return true
    }

    /// The request whose turn it is waits for the spool or an equal report.
    mutating func waitInTurn() { state = .waitingInTurn }

    /// The wait is over.
    /// - Returns: whether the request can be answered; `false` when the connection has ended.
    mutating func resumeTurn() -> Bool {
        guard case .waitingInTurn = state else { return false }
        state = .following
        return true
    }

    /// The router must answer the request whose turn it is.
    mutating func leaveTurn() { state = .idle(unanswered: 0) }
}
