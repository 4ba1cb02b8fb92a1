/// How much time a call has: for one try, or for all its tries together.
struct CallTime {
    /// How long one try may take.
    let patience: Duration
    /// How long all tries and the pauses between them may take together; `nil` if the caller sets no limit.
    let limit: Duration?

    /// - Parameter limit: the caller's limit. The time that the service is asked to wait is added.
    init(of request: APIRequest, limit: Duration?) {
        patience = request.patience
        self.limit = limit.map { $0 + request.wait }
    }

    /// How long a try may take that begins `elapsed` after the first.
    func patience(after elapsed: Duration) -> Duration { limit.map { max($0 - elapsed, .zero) } ?? patience }

    /// Whether a further try may follow after `pause`. It needs at least as much time as the pause: a try without time
    /// would hide the refusal of the one before.
    func allows(_ pause: Duration, after elapsed: Duration) -> Bool { limit.map { pause < ($0 - elapsed) / 2 } ?? true }
}
