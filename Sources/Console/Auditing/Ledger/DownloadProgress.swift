/// How long the client of an answer has taken nothing of it, by checks that are repeated.
struct DownloadProgress {
    private var written = 0
    private var untaken = 0
    /// The time of the last check at which the client had taken something, or had nothing to take.
    private var takenAt: ContinuousClock.Instant?

    /// Notes the result of a check.
    /// - Parameters:
    ///   - written: how many parts of the answer have been written.
    ///   - untaken: how many bytes wait for the client.
    /// - Returns: how long the client has taken nothing; zero if it has taken something since the last check.
    mutating func silence(written: Int, untaken: Int, at now: ContinuousClock.Instant) -> Duration {
        if untaken == 0 || untaken < self.untaken || written > self.written { takenAt = now }
        (self.written, self.untaken) = (written, untaken)
        let since = takenAt ?? now
        takenAt = since
        return now - since
    }
}
