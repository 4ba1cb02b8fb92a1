/// Reports of devices, from before the decoder.
extension RedirectStateMachine {
    /// The header of a report has arrived, but not all of its body.
    mutating func collectReport() { if followsAtOnce { state = .collecting } }

    /// A whole report has arrived.
    /// - Returns: whether its turn has come; otherwise it waits at the reader.
    mutating func takeReport() -> Bool {
        switch state {
        case .collecting: break
        case .idle where followsAtOnce: break
        default: return false
        }
        state = .following
        return true
    }

    /// The report that was taken waits for the store, the spool or an equal report.
    mutating func waitForReport() { state = .reporting }

    /// The wait of the report is over.
    /// - Returns: whether it can be answered; `false` when the connection has ended.
    mutating func resumeReport() -> Bool {
        guard case .reporting = state else { return false }
        state = .following
        return true
    }

    /// The router must answer the report that was taken.
    mutating func leaveReport() { state = .idle(unanswered: 0) }
}
