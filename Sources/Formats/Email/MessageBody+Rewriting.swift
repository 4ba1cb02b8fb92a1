package import Consent
package import Identifiers
package import Messages
package import TrackingIDs

extension MessageBody {
    /// The body as stored decisions permit it: with links through the redirect under `origin` if clicks may be tracked,
    /// with an image whose request counts as an opening if opens may be tracked, or unchanged.
    ///
    /// - Parameters:
    ///   - message: the stored message that its links belong to.
    ///   - expiry: the expiry of the message's links, the same for all recipients.
    ///   - index: returns the index of a link; `nil` for one that stays unchanged.
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

    /// The body for recipients who are tracked for `activities`.
    ///
    /// - Parameter index: returns the index of a link for its tracking IDs; `nil` for one that stays unchanged.
    func tracked(
        origin: PublicOrigin, _ pages: PreferencesPages, _ activities: TrackedActivities, of message: Message,
        index: (BodyLink) -> LinkIndex?
    ) -> Template {
        tracked(origin: origin, pages, hasPixel: message.openTracking && activities.contains(.opens)) { link in
            activities.contains(.clicks) ? index(link) : nil
        }
    }
}
