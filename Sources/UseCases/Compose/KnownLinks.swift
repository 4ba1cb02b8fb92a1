package import Messages
import Synchronization

/// Links of a message that are known to be stored, while mails of the message are rewritten. A stored link is never
/// changed or removed, so this knowledge stays valid.
package final class KnownLinks: Sendable {
    /// Guards the links; held for a few look-ups.
    private let links: Mutex<[TargetURL: MessageLink]>

    package init(of message: StoredMessage) { links = Mutex(message.links.trackedByTarget) }

    /// The target of a URL in a mail of the message. It must be allowed by the rules, or be the target of a known link,
    /// because the rules may have changed since that link was stored.
    package func target(_ url: String, rules: TargetRules) throws(TargetURLError) -> TargetURL {
        do throws(TargetURLError) {
            return try TargetURL(url, rules: rules)
        } catch {
            guard let target = try? TargetURL(stored: url), links.withLock({ $0[target] != nil }) else { throw error }
            return target
        }
    }

    /// The wanted links without a known link to the same target.
    func missing(of wanted: [MailLink]) -> [MailLink] {
        links.withLock { links in wanted.filter { links[$0.target] == nil } }
    }

    func add(_ added: some Sequence<MessageLink>) {
        links.withLock { links in
            for link in added { links[link.target] = link }
        }
    }

    /// The known links to these targets.
    func links(for wanted: [MailLink]) -> [TargetURL: MessageLink] {
        links.withLock { links in
            var found: [TargetURL: MessageLink] = [:]
            for link in wanted { found[link.target] = links[link.target] }
            return found
        }
    }
}
