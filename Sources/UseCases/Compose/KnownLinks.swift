package import Messages
import Synchronization

/// Links of a message that are known to be stored, for as long as mails of it are rewritten. A stored link is never
/// changed or removed, so what is known stays true.
package final class KnownLinks: Sendable {
    /// Guards the links; held for a few look-ups.
    private let links: Mutex<[TargetURL: MessageLink]>

    package init(of message: StoredMessage) { links = Mutex(message.links.trackedByTarget) }

    /// Those whose target no known link leads to.
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
