package import Consent
import Formats
package import Identifiers
package import Messages
package import Organizations
package import TrackingIDs

/// Rewrites mail that its sender made for one recipient: decides, gives every link an index, and only then renders.
package struct Rewriter: Sendable {
    package let catalog: MessageCatalog
    package let composer: Composer

    package init(catalog: MessageCatalog, composer: Composer) {
        self.catalog = catalog
        self.composer = composer
    }

    package struct Rewritten {
        package let decision: RecordedDecision
        /// Why a recipient who was tracked is no longer; for a repeated request.
        package let ended: DecisionReason?
        /// In the order in which they were given.
        package let bodies: [(part: BodyLink.Part, bytes: [UInt8])]
        fileprivate let mail: PersonalMail
        /// The indices of the links that lead through the redirect.
        fileprivate let indices: LinkIndices

        /// All links of the bodies.
        package var links: [FoundLink] {
            mail.bodies.flatMap(\.links).map { link in
                FoundLink(link: link, index: indices.index(of: link), skipped: indices.reasonToSkip(link))
            }
        }

        /// Those that stay as they are, where that is not because of the recipient.
        package var skippedLinks: [(BodyLink, BodyLink.Reason)] {
            mail.bodies.lazy.flatMap(\.links).compactMap { link in
                indices.reasonToSkip(link).map { (link, $0) }
            }
        }
    }

    /// Under which indices the links of one recipient's mail are rewritten.
    fileprivate struct LinkIndices {
        let isTracked: Bool
        let links: [TargetURL: MessageLink]

        func index(of link: BodyLink) -> LinkIndex? {
            isTracked ? link.target.flatMap { links[$0]?.index } : nil
        }

        func reasonToSkip(_ link: BodyLink) -> BodyLink.Reason? {
            guard let target = link.target else { return link.reason }
            return isTracked && links[target] == nil ? .full : nil
        }
    }

    package struct FoundLink {
        package let link: BodyLink
        /// The index it is rewritten under; `nil` for a link that stays as it is.
        package let index: LinkIndex?
        /// Why it stays as it is, where that is not because of the recipient.
        package let skipped: BodyLink.Reason?
    }

    /// The decision and the links are durable on return. When it throws, none is stored and none may leave. A link that
    /// the message has no index left for stays as it is.
    package func rewrite(
        _ mail: PersonalMail, of message: StoredMessage, in organization: Organization,
        once mark: IdempotencyFingerprint?
    ) async throws -> Rewritten {
        let decided = try await composer.decide(about: mail.recipient, of: message, in: organization, once: mark)
        return try await render(mail, of: message, decided)
    }

    /// What was rewritten before, from the same decision.
    ///
    /// - Parameter effect: of the request that rewrote the same mail.
    package func replay(
        _ mail: PersonalMail, of message: StoredMessage, in organization: Organization, _ effect: RequestEffect
    ) async throws -> Rewritten {
        let decided = try await composer.replay(about: mail.recipient, of: message, in: organization, effect)
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

    /// The mails for the evaluated recipients, in their order. All decisions and links are durable on return. When it
    /// throws, decisions may be durable, and no mail may leave.
    package func rewrite(
        _ mails: [PersonalMail], of message: StoredMessage, for evaluation: Composer.Evaluation, _ known: KnownLinks
    ) async throws -> RewrittenMails {
        let decided = try await composer.decide(by: evaluation, of: message)
        return try await render(mails, of: message, decided, known)
    }

    /// Gives links to those mails that are tracked, and to no others.
    private func render(
        _ mails: [PersonalMail], of message: StoredMessage, _ decided: Composer.DecidedTogether, _ known: KnownLinks
    ) async throws -> RewrittenMails {
        let tracked = zip(mails, decided.decisions).filter { $1.permit != .untracked }.map(\.0)
        let links = try await catalog.links(for: Self.targets(of: tracked), of: message, known)
        return RewrittenMails(
            mails: mails, decided: decided, message: message, links: links, origin: catalog.publicOrigin)
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
    package struct RewrittenMails: Sendable {
        fileprivate let mails: [PersonalMail]
        /// One for each of the mails.
        package let decided: Composer.DecidedTogether
        fileprivate let message: StoredMessage
        fileprivate let links: [TargetURL: MessageLink]
        fileprivate let origin: PublicOrigin

        /// The mail at `index`.
        package func mail(
            at index: Int, ended: DecisionReason? = nil, _ sealer: TrackingIDSealer
        ) -> Rewritten {
            let decision = decided.decisions[index]
            let indices = LinkIndices(isTracked: decision.permit != .untracked, links: links)
            return Rewritten(
                decision: decision, ended: ended,
                bodies: mails[index].bodies.map { body in
                    let bytes = body.render(
                        decision, of: message, origin: origin, expiry: decided.expiry, sealer: sealer,
                        index: indices.index)
                    return (body.part, bytes)
                },
                mail: mails[index], indices: indices)
        }
    }
}
