/// How long a listener waits for its clients, in ticks of ``ConnectionRegistry`` (5 s each).
package enum ConnectionTimeout {
    /// For clients of any kind: an answer must have left within 6 ticks, at every stage of the exchange.
    case short
    /// For backends, which keep connections open and stream.
    case long

    /// Whether a connection must be closed.
    ///
    /// - Parameters:
    ///   - silence: ticks since the last answer, or since the connection began if there was no answer.
    ///   - headAge: ticks since the first byte of a request whose header is not complete; `nil` between requests.
    ///   - wait: ticks since the connection began to wait for the client, which sent nothing; 0 while it does not wait.
    func isExceeded(_ stage: ConnectionStage, hasAnswered: Bool, silence: Int, headAge: Int?, wait: Int) -> Bool {
        switch (self, stage) {
        case (.short, _): silence > 6
        case (.long, .idle): if let headAge { headAge > 6 } else { silence > (hasAnswered ? 24 : 6) }
        case (.long, .receiving): wait > 6
        case (.long, .exchanging): wait > 60
        case (.long, .owing): false
        }
    }
}
