import JSON
import Messages

/// Dynamics 365 on Android: FCM data, every value a string, and no `notification`, so that the app shows it itself.
struct Dynamics365AndroidLayout: PayloadLayout {
    let carried: Set<Message.Member> = [.title, .body, .imageURL, .link, .custom]
    let maximumLength: Int? = Carrier.maximumLength

    private static let ownKeys: Set<String> = ["title", "body", "imageUrl", "link", "originalLink", "trackingId"]

    func check(_ message: Message, at pointer: JSONPointer) throws(BodyProblems) {
        try Carrier.checkFCMData(message.custom, beside: Self.ownKeys, at: pointer)
    }

    func write(_ message: Message, to payload: inout PayloadWriter) {
        payload.fcmData(message) { payload in
            if let image = message.imageURL { payload.json.member("imageUrl", image.text) }
            // FCM has no null, and an empty link would start an empty intent: so the keys are left out if there is no
            // link.
            payload.dynamics365Links(message)
            payload.custom(message.custom)
        }
    }
}
