/// How long a listener waits for its clients, in ticks of ``ConnectionRoster``.
enum ConnectionPatience {
    /// Clients are strangers: an answer must have left within 6 ticks, whatever was under way.
    case short
    /// Clients are backends that keep connections open and stream.
    case long

    /// Whether a connection is to be closed.
    ///
    /// - Parameters:
    ///   - silence: since the last answer; since the connection began, where there was none.
    ///   - headAge: since the first byte of a request that has no whole header yet; `nil` between requests.
    ///   - wait: since the client was last waited for and sent nothing; 0 while it is not waited for.
    func isOver(_ stage: ConnectionStage, hasAnswered: Bool, silence: Int, headAge: Int?, wait: Int) -> Bool {
        switch (self, stage) {
        case (.short, _): silence > 6
        case (.long, .idle): if let headAge { headAge > 6 } else { silence > (hasAnswered ? 24 : 6) }
        case (.long, .receiving): wait > 6
        case (.long, .exchanging): wait > 60
        case (.long, .owing): false
        }
    }
}
