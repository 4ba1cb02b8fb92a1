package import Consent
package import Identifiers
package import Messages
package import TrackingIDs

extension MessageBody {
    /// The body as stored decisions permit it: with links through the redirect under `origin` where clicks may be tracked,
    /// with an image that tells when it is fetched where opens may be, or as it came in.
    ///
    /// - Parameters:
    ///   - message: the stored message that its links belong to.
    ///   - expiry: the expiry of the message's links, the same for all recipients.
    ///   - index: under which index a link is; `nil` for one that stays as it is.
    package func render(
        _ decisions: RecipientDecisions, of message: StoredMessage, origin: PublicOrigin, expiry: LinkExpiry,
        sealer: TrackingIDSealer, index: (BodyLink) -> LinkIndex?
    ) -> [UInt8] {
        let pages = PreferencesPages(origin: origin, organization: message.organization)
        var output: [UInt8] = []
        switch decisions.permit {
        case .untracked:
            let template = untracked(pages)
            output.reserveCapacity(template.renderedLength(\.length))
            template.render(into: &output) { _, _ in }
        case .tracked(let recipient, let activities):
            let ids = TrackingIDWriter(message: message.id, recipient: recipient, expiry: expiry, sealer: sealer)
            let template = tracked(origin: origin, pages, activities, of: message.content, index: index)
            output.reserveCapacity(template.renderedLength(\.length))
            template.render(into: &output, fill: ids.fill)
        }
        return output
    }

    /// For those of whom `activities` are tracked.
    ///
    /// - Parameter index: under which index a link's tracking IDs are; `nil` for one that stays as it is.
    func tracked(
        origin: PublicOrigin, _ pages: PreferencesPages, _ activities: TrackedActivities, of message: Message,
        index: (BodyLink) -> LinkIndex?
    ) -> Template {
        tracked(origin: origin, pages, hasPixel: message.openTracking && activities.contains(.opens)) { link in
            activities.contains(.clicks) ? index(link) : nil
        }
    }
}
