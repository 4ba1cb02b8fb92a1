import JSON
import Messages

/// Adobe Campaign Standard on Android: the keys of iOS, including those of `aps`, flat in FCM data, every value a
/// string.
struct AdobeCampaignAndroidLayout: PayloadLayout {
    let carried = Message.Member.ofNotifications.subtracting([.actions])
    let maximumLength: Int? = Carrier.maximumLength

    private static let ownKeys = AdobeCampaign.fieldNames.union([
        "title", "body", "badge", "sound", "category", "content-available", "mutable-content",
    ])

    func check(_ message: Message, at pointer: JSONPointer) throws(BodyProblems) {
        try Carrier.checkFCMData(message.custom, beside: Self.ownKeys, at: pointer)
    }

    func write(_ message: Message, to payload: inout PayloadWriter) {
        payload.fcmData(message) { payload in
            if let badge = message.badge { payload.json.member("badge", String(badge)) }
            if let sound = message.sound { payload.json.member("sound", sound) }
            if let category = message.category { payload.json.member("category", category) }
            if message.contentAvailable { payload.json.member("content-available", "1") }
            if message.imageURL != nil { payload.json.member("mutable-content", "1") }
            payload.adobeCampaignFields(message)
        }
    }
}
