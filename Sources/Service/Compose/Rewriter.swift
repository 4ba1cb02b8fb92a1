import Consent
import Formats
import Identifiers
import JSON
import Messages
import Organizations
import TrackingIDs

/// Rewrites mail that its sender made for one person: decides, gives every link an index, and only then renders.
struct Rewriter: Sendable {
    let keeper: MessageKeeper
    let composer: Composer

    struct Rewritten {
        let decision: RecordedDecision
        /// Why a recipient who was tracked is so no more; for a repeated request.
        let ended: DecisionReason?
        /// In the order in which they were given.
        let bodies: [(place: BodyLink.Place, bytes: [UInt8])]
        /// Every link of theirs.
        let links: [FoundLink]
    }

    struct FoundLink {
        let link: BodyLink
        /// Under which it is rewritten, if it is.
        let index: LinkIndex?
        /// Why it stays as it is, where that is not because of the recipient.
        let skipped: BodyLink.Reason?
    }

    /// The decision and the links are durable on return. When it throws, none is stored and none may leave. A link that
    /// the message has no index left for stays as it is.
    func rewrite(
        _ mail: PersonalMail, of message: StoredMessage, in organization: Organization, once mark: RequestMark?
    ) async throws -> Rewritten {
        let decided = try await composer.decide(about: mail.recipient, of: message, in: organization, once: mark)
        return try await render(mail, of: message, decided)
    }

    /// What was rewritten before, by the same decision.
    ///
    /// - Parameter effect: of the request that rewrote the same mail.
    func rewriteAgain(
        _ mail: PersonalMail, of message: StoredMessage, in organization: Organization, _ effect: RequestEffect
    ) async throws -> Rewritten {
        let decided = try await composer.decideAgain(about: mail.recipient, of: message, in: organization, effect)
        return try await render(mail, of: message, decided)
    }

    private func render(
        _ mail: PersonalMail, of message: StoredMessage, _ decided: Composer.Decided
    ) async throws -> Rewritten {
        let together = Composer.DecidedTogether(
            decisions: [decided.decision], expiry: decided.expiry, keyRing: decided.keyRing)
        let rewritten = try await render([mail], of: message, together, KnownLinks(of: message))
        return rewritten.mail(at: 0, ended: decided.ended, try TrackingIDSealer(keyRing: decided.keyRing))
    }

    /// The mails for those who were considered, in their order. All decisions are durable on return, and all links; when
    /// it throws, decisions may be, and no mail may leave.
    func rewrite(
        _ mails: [PersonalMail], of message: StoredMessage, for considered: Composer.Considered, _ known: KnownLinks
    ) async throws -> RewrittenMails {
        let decided = try await composer.decide(about: considered, of: message)
        return try await render(mails, of: message, decided, known)
    }

    /// Gives links to those mails that are tracked, and to no others.
    private func render(
        _ mails: [PersonalMail], of message: StoredMessage, _ decided: Composer.DecidedTogether, _ known: KnownLinks
    ) async throws -> RewrittenMails {
        let tracked = zip(mails, decided.decisions).filter { $1.permit != .untracked }.map(\.0)
        let links = try await keeper.links(for: Self.targets(of: tracked), of: message, known)
        return RewrittenMails(
            mails: mails, decided: decided, message: message, links: links, origin: keeper.publicOrigin)
    }

    /// Each target once, as it is first found.
    private static func targets(of mails: [PersonalMail]) -> [MailLink] {
        var known: Set<TargetURL> = []
        var links: [MailLink] = []
        for link in mails.lazy.flatMap(\.bodies).flatMap(\.links) {
            guard let target = link.target, known.insert(target).inserted, let link = link.mailLink else { continue }
            links.append(link)
        }
        return links
    }

    /// Mails whose decisions and links are stored, and what it takes to render them.
    struct RewrittenMails: Sendable {
        fileprivate let mails: [PersonalMail]
        /// One for each of the mails.
        let decided: Composer.DecidedTogether
        fileprivate let message: StoredMessage
        fileprivate let links: [TargetURL: MessageLink]
        fileprivate let origin: PublicOrigin

        func mail(at place: Int, ended: DecisionReason? = nil, _ sealer: TrackingIDSealer) -> Rewritten {
            let decision = decided.decisions[place]
            let isTracked = decision.permit != .untracked
            func index(of link: BodyLink) -> LinkIndex? {
                isTracked ? link.target.flatMap { links[$0]?.index } : nil
            }
            return Rewritten(
                decision: decision, ended: ended,
                bodies: mails[place].bodies.map { body in
                    let bytes = body.render(
                        decision, of: message, origin: origin, expiry: decided.expiry, sealer: sealer, index: index)
                    return (body.place, bytes)
                },
                links: mails[place].bodies.flatMap(\.links).map { link in
                    let index = index(of: link)
                    let isLeftOut = isTracked && index == nil && link.target != nil
                    return FoundLink(link: link, index: index, skipped: isLeftOut ? .full : link.reason)
                })
        }
    }
}
