import Consent
import Identifiers
import Interactions
import Messages
import Reports

/// The report of one message for its page, in one language.
struct MessageReportView: Sendable {
    struct Link: Sendable {
        let link: MessageLink
        let counts: MessageActivity.LinkCounts
    }

    let message: StoredMessage
    let counts: MessageCounts
    let language: ConsoleLanguage

    var figures: PeopleFigures { counts.figures }
    var texts: MessageTexts { MessageTexts.all[language] }
    var words: MessageWords { MessageWords.all[language] }
    var format: NumberFormat { NumberFormat(language: language) }

    /// Tracked links that all recipients have, in the order of their indexes.
    var links: [Link] {
        let counted = counts.activity.links
        return message.content.links.filter(\.isTracked).map { link in
            Link(link: link, counts: counted[link.index] ?? MessageActivity.LinkCounts())
        }
    }

    /// Clicks on links that rewriting found in the mails of single recipients, all together; `nil` if there are none.
    /// Such a URL may name its recipient, and its clicks would show what they did.
    var addedClicks: Int? {
        guard !message.addedLinks.isEmpty else { return nil }
        let counted = counts.activity.links
        return message.addedLinks.map { counted[$0.index]?.clicks ?? 0 }.countSum
    }

    /// The links with the most clicks first; equal ones in the order of their indexes.
    var mostFollowed: [Link] {
        links.enumerated().sorted { one, other in
            let (clicks, others) = (one.element.counts.clicks, other.element.counts.clicks)
            return clicks == others ? one.offset < other.offset : clicks > others
        }.map(\.element)
    }

    /// The reasons for which people are untracked, most frequent first.
    var untracked: [(reason: DecisionReason, clicks: Int, opens: Int)] {
        let (clicks, opens) = (figures.untracked[.clicks], figures.untracked[.opens])
        return DecisionReason.allCases.compactMap { reason in
            let found = (reason, clicks[reason] ?? 0, opens[reason] ?? 0)
            return found.1 == 0 && found.2 == 0 ? nil : found
        }.sorted { $0.clicks > $1.clicks }
    }

    func purposes(of activity: TrackedActivity) -> String { message.content.purposes[activity].description }

    /// The name of a link on the page: its label, else its target.
    func name(of link: MessageLink) -> String {
        link.label.flatMap { $0.isEmpty ? nil : $0.shortened() } ?? Self.place(of: link.target)
    }

    /// Host and path of a target for the page, without parts that may identify people.
    static func place(of target: TargetURL) -> String {
        let text = target.text
        let rest = text.firstRange(of: "://").map { text[$0.upperBound...] } ?? text[...]
        return String(rest.prefix { $0 != "?" && $0 != "#" }).shortened()
    }

    /// The place of a link in the message.
    func location(of link: MessageLink) -> String {
        switch link.location {
        case "link": return texts.ownLink
        case "html": return texts.inMail
        case "text": return texts.inText
        default: return action(at: link.location).map { texts.button(Int($0) + 1) } ?? link.location.shortened()
        }
    }

    /// The place, from 0, of the action that `actions/1/link` names; `nil` for any other text.
    private func action(at location: String) -> UInt16? {
        let parts = location.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 3, parts[0] == "actions", parts[2] == "link" else { return nil }
        return UInt16(parts[1])
    }
}
