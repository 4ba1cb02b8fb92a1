package import Consent
package import Formats
package import Identifiers
package import Messages
package import Organizations
package import StoragePorts
package import TrackingIDs

/// Rewrites mails that their sender made for one recipient each: decides, gives every link an index, and only then
/// renders.
package struct Rewriter: Sendable {
    package let catalog: MessageCatalog
    package let composer: Composer

    package init(catalog: MessageCatalog, composer: Composer) {
        self.catalog = catalog
        self.composer = composer
    }

    package struct Rewritten {
        package let decisions: RecipientDecisions
        /// Why a recipient who was tracked is no longer tracked; for a repeated request.
        package let ended: PerActivity<DecisionReason?>
        /// In the order of the input.
        package let bodies: [RenderedBody]
        /// The tracking ID of the message and the recipient; for a recipient who is not tracked, a zero ID that is the
        /// same for all.
        package let trackingID: String
        /// The address at which the recipient sees what is recorded about them; `nil` for a mail without a placeholder
        /// for it.
        package let preferencesURL: String?
        fileprivate let mail: PersonalMail
        /// The indices of the links that lead through the redirect.
        fileprivate let indices: LinkIndices

        /// All links of the bodies.
        package var links: [FoundLink] {
            mail.bodies.flatMap(\.links).map { link in
                FoundLink(link: link, index: indices.index(of: link), skipped: indices.reasonToSkip(link))
            }
        }

        /// The links that stay unchanged for a reason other than the recipient's decision.
        package var skippedLinks: [(BodyLink, BodyLink.Reason)] {
            mail.bodies.lazy.flatMap(\.links).compactMap { link in
                indices.reasonToSkip(link).map { (link, $0) }
            }
        }
    }

    /// The indices under which the links of one recipient's mail are rewritten.
    fileprivate struct LinkIndices {
        let isTracked: Bool
        let links: [TargetURL: MessageLink]
        /// Why a tracked link has no index.
        let reasonWithoutIndex: BodyLink.Reason

        func index(of link: BodyLink) -> LinkIndex? {
            isTracked ? link.target.flatMap { links[$0]?.index } : nil
        }

        func reasonToSkip(_ link: BodyLink) -> BodyLink.Reason? {
            guard let target = link.target else { return link.reason }
            return isTracked && links[target] == nil ? reasonWithoutIndex : nil
        }
    }

    package struct FoundLink {
        package let link: BodyLink
        /// The index under which the link is rewritten; `nil` for a link that stays unchanged.
        package let index: LinkIndex?
        /// Why the link stays unchanged, if the reason is not the recipient's decision.
        package let skipped: BodyLink.Reason?
    }

    /// The decision and the links are durable on return. If it throws, they may be, but the mail must not be sent. A
    /// link stays unchanged if the message has no index left for it.
    /// - Parameter known: links of the message that the caller has read already.
    package func rewrite(
        _ mail: PersonalMail, of message: StoredMessage, in organization: Organization,
        fingerprint: IdempotencyFingerprint?, _ known: KnownLinks? = nil
    ) async throws -> Rewritten {
        let known = known ?? KnownLinks(of: message)
        if fingerprint != nil { try await addLinks(of: mail, to: message, in: organization, known) }
        let decided = try await composer.decide(
            about: mail.recipient, of: message, in: organization, fingerprint: fingerprint)
        return try await render(mail, of: message, decided, known)
    }

    /// Adds the links of a mail before its decision, if it will be tracked. The key of its request becomes durable
    /// together with the decision, and a request that is repeated after that adds no links.
    private func addLinks(
        of mail: PersonalMail, to message: StoredMessage, in organization: Organization, _ known: KnownLinks
    ) async throws {
        let targets = Self.targets(of: [mail])
        guard !known.missing(of: targets).isEmpty else { return }
        // A lifetime that no link can have must be refused before anything is stored.
        _ = try composer.expiry(of: message.content, composedAt: composer.now())
        let evaluation = try await composer.evaluate([mail.recipient], for: message, in: organization)
        guard composer.wouldTrackClicks(by: evaluation, of: message) else { return }
        _ = try await catalog.links(for: targets, of: message, known)
    }

    /// The mail that was rewritten before, from the same decision. It adds no links: those that the mail led through
    /// the redirect are known, and others were not allowed then, whatever is allowed now.
    ///
    /// - Parameters:
    ///   - effect: the effect of the request that rewrote the same mail.
    ///   - known: links of the message that the caller has read already.
    package func replay(
        _ mail: PersonalMail, of message: StoredMessage, in organization: Organization, _ effect: RequestEffect,
        _ known: KnownLinks? = nil
    ) async throws -> Rewritten {
        let decided = try await composer.replay(about: mail.recipient, of: message, in: organization, effect)
        return try await render(mail, of: message, decided, known ?? KnownLinks(of: message), isReplay: true)
    }

    private func render(
        _ mail: PersonalMail, of message: StoredMessage, _ decided: Composer.Decided, _ known: KnownLinks,
        isReplay: Bool = false
    ) async throws -> Rewritten {
        let rewritten = try await render([mail], of: message, decided, known, isReplay: isReplay)
        return rewritten.mail(at: 0, try TrackingIDSealer(keyRing: decided.keyRing))
    }

    /// The mails for the evaluated recipients, in their order. All decisions and links are durable on return. If it
    /// throws, decisions may be durable, but no mail may be sent.
    package func rewrite(
        _ mails: [PersonalMail], of message: StoredMessage, for evaluation: Composer.Evaluation, _ known: KnownLinks
    ) async throws -> RewrittenMails {
        let decided = try await composer.decide(by: evaluation, of: message)
        return try await render(mails, of: message, decided, known)
    }

    /// Adds links only for mails whose clicks are tracked, and none in a replay.
    private func render(
        _ mails: [PersonalMail], of message: StoredMessage, _ decided: Composer.Decided, _ known: KnownLinks,
        isReplay: Bool = false
    ) async throws -> RewrittenMails {
        let tracked = mails.indices.filter { decided.decisions[$0][.clicks].permit != .untracked }.map { mails[$0] }
        let targets = Self.targets(of: tracked)
        let links =
            isReplay ? known.links(for: targets) : try await catalog.links(for: targets, of: message, known)
        let isFull = message.addedLinks.count >= message.content.addedLinkIndexes.count
        return RewrittenMails(
            mails: mails, decided: decided, message: message, links: links,
            reasonWithoutIndex: isReplay && !isFull ? .notATarget(.hostNotAllowed) : .full,
            origin: catalog.publicOrigin)
    }

    /// Each target once, in the order of its first occurrence.
    private static func targets(of mails: [PersonalMail]) -> [MailLink] {
        var known: Set<TargetURL> = []
        var links: [MailLink] = []
        for link in mails.lazy.flatMap(\.bodies).flatMap(\.links) {
            guard let target = link.target, known.insert(target).inserted, let link = link.mailLink else { continue }
            links.append(link)
        }
        return links
    }

    /// Mails whose decisions and links are stored, and everything that rendering them needs.
    package struct RewrittenMails: Sendable {
        fileprivate let mails: [PersonalMail]
        /// Has the decisions about the recipient of each mail.
        package let decided: Composer.Decided
        fileprivate let message: StoredMessage
        fileprivate let links: [TargetURL: MessageLink]
        fileprivate let reasonWithoutIndex: BodyLink.Reason
        fileprivate let origin: PublicOrigin

        /// The mail at `index`.
        package func mail(at index: Int, _ sealer: TrackingIDSealer) -> Rewritten {
            let decisions = decided.decisions[index]
            let indices = LinkIndices(
                isTracked: decisions[.clicks].permit != .untracked, links: links,
                reasonWithoutIndex: reasonWithoutIndex)
            let recipient = MailRecipient(
                decisions, of: message, origin: origin, expiry: decided.expiry, sealer: sealer)
            return Rewritten(
                decisions: decisions, ended: decided.decisions.ended(at: index),
                bodies: mails[index].bodies.map { body in
                    RenderedBody(
                        body, decisions, of: message, origin: origin, expiry: decided.expiry, sealer: sealer,
                        index: { indices.index(of: $0) })
                },
                trackingID: recipient.trackingID,
                preferencesURL: mails[index].bodies.contains(where: \.hasPlaceholder) ? recipient.preferencesURL : nil,
                mail: mails[index], indices: indices)
        }
    }
}
