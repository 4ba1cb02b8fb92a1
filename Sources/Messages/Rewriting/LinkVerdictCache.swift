import Synchronization

/// Verdicts on URLs, for bodies that are read under the same rules and have most of their links in common: the mails of
/// one message.
package final class LinkVerdictCache: Sendable {
    /// More links than most mails have; those beyond are judged each time anew.
    private static let limit = 1024

    /// Guards the verdicts; held for one look-up.
    private let verdicts = Mutex<[String: BodyLink.Verdict]>([:])

    package init() {}

    /// The verdict on `url`, which `judge` gives where it is not known.
    ///
    /// Texts that differ in bytes can be equal (`K` and the Kelvin sign), but not two that are ASCII. Others are no
    /// targets anyway.
    func verdict(on url: String, judge: (String) -> BodyLink.Verdict) -> BodyLink.Verdict {
        guard url.utf8.allSatisfy({ $0 < 0x80 }) else { return judge(url) }
        if let known = verdicts.withLock({ $0[url] }) { return known }
        let verdict = judge(url)
        verdicts.withLock { verdicts in
            if verdicts.count < Self.limit { verdicts[url] = verdict }
        }
        return verdict
    }
}
