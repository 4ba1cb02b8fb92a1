/// Decides from the cached document when to fetch a document of the provider.
struct CachePolicy: Sendable {
    /// A document is used for this many seconds.
    let lifetime: Int64
    /// A newer document than the cached one is requested at most once in this many seconds.
    let renewalPause: Int64
    /// After a failure the provider is not asked again for this many seconds.
    let failurePause: Int64

    static let metadata = CachePolicy(lifetime: 3600, renewalPause: 3600, failurePause: 5)
    /// A key that the provider withdraws is trusted for 15 minutes more at most. A token with an unknown key makes the
    /// keys be fetched at most once a minute, so that invented key names cause no flood of requests.
    static let keys = CachePolicy(lifetime: 900, renewalPause: 60, failurePause: 5)

    struct Kept<Document> {
        var document: Document
        var fetchedAt: UnixTime
    }

    struct Failed {
        var failure: SignInFailure
        var at: UnixTime
    }

    enum Step<Document> {
        case use(Document)
        case fetch
        case fail(SignInFailure)
    }

    /// - Parameters:
    ///   - failed: the last attempt, if it failed.
    ///   - newer: whether the cached document lacks what the caller needs.
    func step<Document>(
        _ kept: Kept<Document>?, failed: Failed?, newer: Bool, now: UnixTime
    ) -> Step<Document> {
        let mayAgain = failed.map { !Self.isWithin(failurePause, of: $0.at, now) } ?? true
        guard let kept, Self.isWithin(lifetime, of: kept.fetchedAt, now) else {
            if let failed, !mayAgain { return .fail(failed.failure) }
            return .fetch
        }
        guard newer, mayAgain, !Self.isWithin(renewalPause, of: kept.fetchedAt, now),
            failed.map({ !Self.isWithin(renewalPause, of: $0.at, now) }) ?? true
        else { return .use(kept.document) }
        return .fetch
    }

    /// A time in the future is not within: the clock was set back, and the age is unknown.
    private static func isWithin(_ seconds: Int64, of moment: UnixTime, _ now: UnixTime) -> Bool {
        moment <= now && now < moment.advanced(by: seconds)
    }
}
