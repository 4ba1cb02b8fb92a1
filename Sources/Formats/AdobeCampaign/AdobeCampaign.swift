import Identifiers
import JSON
import Messages

extension PayloadWriter {
    /// The keys that the apps of Adobe Campaign read in addition to the texts.
    ///
    /// Apps from before release 21.1 read a missing `_acsDeliveryTracking` as on, so `off` is written, in the lower
    /// case that Android compares with; no app reports if `_dId` or `_mId` is missing.
    mutating func adobeCampaignFields(_ message: Message) {
        custom(message.custom)
        if let image = message.imageURL { json.member("media-attachment-url", image.text) }
        if let link = message.link {
            self.link("uri", link, at: Message.ownLinkIndex)
            json.member("originalLink", link.target.text)
        }
        trackedMember("_dId", blank: .messageID)
        trackedMember("_mId", prefix: AdobeCampaign.broadlogPrefix, blank: .hexadecimalTrackingID(.message))
        json.member("_acsDeliveryTracking", isTracked ? "on" : "off")
    }
}

enum AdobeCampaign {
    /// The beginning of an `_mId`, before the tracking ID in hexadecimal.
    static let broadlogPrefix = "h"

    /// The keys of ``PayloadWriter/adobeCampaignFields(_:)``.
    static let fieldNames: Set<String> = [
        "media-attachment-url", "uri", "originalLink", "_dId", "_mId", "_acsDeliveryTracking",
    ]
}
