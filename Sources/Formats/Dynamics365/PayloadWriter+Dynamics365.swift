import JSON
import Messages

extension PayloadWriter {
    /// The keys that the apps of Dynamics 365 read. Every published sample opens `link` and none opens `originalLink`,
    /// so both are the target if clicks are not tracked.
    mutating func dynamics365Links(_ message: Message) {
        if let link = message.link {
            self.link("link", link, at: Message.ownLinkIndex)
            json.member("originalLink", link.target.text)
        }
        trackingID("trackingId", otherwise: UntrackedID.zero)
    }
}
