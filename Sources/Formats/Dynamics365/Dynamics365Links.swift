import JSON
import Messages

extension PayloadWriter {
    /// The keys that the apps of Dynamics 365 read. Every published sample opens `link` and none opens `originalLink`,
    /// so without tracking both are the target.
    mutating func dynamics365Links(_ message: Message) {
        if let link = message.link {
            self.link("link", link, at: Message.ownLinkIndex)
            json.member("originalLink", link.target.text)
        }
        trackingID("trackingId", otherwise: Dynamics365.zeroID)
    }
}

enum Dynamics365 {
    /// What stands in the place of a tracking ID for those who are not tracked. Every published client takes it for
    /// "do not report", or reports it and is told that all is well.
    static let zeroID = "00000000-0000-0000-0000-000000000000"
}
