import Synchronization

/// Verdicts on URLs, for bodies that are read under the same rules and have most links in common: the mails of one
/// message.
package final class LinkVerdictCache: Sendable {
    /// More links than most mails have; further ones are judged each time.
    private static let limit = 1024

    /// Guards the verdicts; held for one look-up.
    private let verdicts = Mutex<[String: BodyLink.Verdict]>([:])

    package init() {}

    /// The verdict on `url`; `judge` gives it if it is not known.
    ///
    /// Texts with different bytes can be equal (`K` and the Kelvin sign), but not two ASCII texts. Other texts are no
    /// targets anyway.
    func verdict(on url: String, judge: (String) -> BodyLink.Verdict) -> BodyLink.Verdict {
        var bytes = url.utf8Span
        guard bytes.checkForASCII() else { return judge(url) }
        if let known = verdicts.withLock({ $0[url] }) { return known }
        let verdict = judge(url)
        verdicts.withLock { verdicts in
            if verdicts.count < Self.limit { verdicts[url] = verdict }
        }
        return verdict
    }
}
