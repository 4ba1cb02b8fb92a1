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
        /// In the order in which they were given.
        let bodies: [(place: BodyLink.Place, bytes: [UInt8])]
        /// Every link of theirs; with the index under which it is rewritten, if it is.
        let links: [(link: BodyLink, index: LinkIndex?)]
    }

    /// The decision and the links are durable on return. When it throws, none is stored and none may leave, but for one
    /// case: when others take the last indexes of the message meanwhile, the decision stays.
    func rewrite(
        _ bodies: [MessageBody], of message: StoredMessage, for recipient: RecipientID, in organization: Organization,
        once mark: RequestMark?
    ) async throws -> Rewritten {
        let refusal = Self.excess(of: Self.targets(of: bodies), in: message)
        let decided = try await composer.decide(
            about: recipient, of: message, in: organization, once: mark, refusingTracked: refusal)
        return try await render(bodies, of: message, decided)
    }

    /// What was rewritten before, by the same decision.
    ///
    /// - Parameter effect: of the request that rewrote the same `bodies`.
    func rewriteAgain(
        _ bodies: [MessageBody], of message: StoredMessage, in organization: Organization, _ effect: RequestEffect
    ) async throws -> Rewritten {
        try await render(bodies, of: message, composer.decideAgain(about: message, in: organization, effect))
    }

    private func render(
        _ bodies: [MessageBody], of message: StoredMessage, _ decided: Composer.Decided
    ) async throws -> Rewritten {
        let links = try await links(for: Self.targets(of: bodies), of: message, permittedBy: decided.decision)
        let sealer = try TrackingIDSealer(keyRing: decided.keyRing)
        func index(of link: BodyLink) -> LinkIndex? { link.target.flatMap { links[$0]?.index } }
        return Rewritten(
            decision: decided.decision,
            bodies: bodies.map { body in
                let bytes = body.render(
                    decided.decision, of: message, origin: keeper.publicOrigin, expiry: decided.expiry,
                    sealer: sealer, index: index)
                return (body.place, bytes)
            },
            links: bodies.flatMap(\.links).map { ($0, index(of: $0)) })
    }

    /// None for whoever is not tracked.
    private func links(
        for wanted: [MailLink], of message: StoredMessage, permittedBy decision: RecordedDecision
    ) async throws -> [TargetURL: MessageLink] {
        guard case .tracked = decision.permit else { return [:] }
        do {
            return try await keeper.links(for: wanted, of: message)
        } catch let error as TooManyLinks {
            throw BodyProblems(.root.appending((wanted.last?.place ?? .html).rawValue), error.description)
        }
    }

    /// Each target once, as it is first found.
    private static func targets(of bodies: [MessageBody]) -> [MailLink] {
        var known: Set<TargetURL> = []
        return bodies.flatMap(\.links).compactMap(\.mailLink).filter { known.insert($0.target).inserted }
    }

    /// What is wrong with a body whose links the message has no indexes left for.
    private static func excess(of wanted: [MailLink], in message: StoredMessage) -> BodyProblems? {
        let known = message.links.trackedByTarget
        let excess = wanted.filter { known[$0.target] == nil }.dropFirst(message.linksLeft)
        return excess.first.map {
            BodyProblems(.root.appending($0.place.rawValue), TooManyLinks().description)
        }
    }
}
