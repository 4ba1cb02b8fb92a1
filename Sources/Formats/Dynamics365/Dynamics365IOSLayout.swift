import JSON
import Messages

/// Dynamics 365 on iOS: a dictionary `data` beside `aps`, custom keys at the root.
struct Dynamics365IOSLayout: PayloadLayout {
    let carried = Message.Member.ofNotifications.subtracting([.actions])
    let maximumLength: Int? = Carrier.maximumLength

    func check(_ message: Message, at pointer: JSONPointer) throws(BodyProblems) {
        try Carrier.check(message.custom, at: pointer) { $0 == "aps" || $0 == "data" }
    }

    func write(_ message: Message, to payload: inout PayloadWriter) {
        payload.json.beginObject()
        payload.aps(message, category: message.category, hasImage: message.imageURL != nil)
        payload.json.key("data")
        payload.json.beginObject()
        if message.link == nil {
            // The Objective-C sample reports the opening of an app only if it finds a null.
            payload.json.member("link", nil as String?)
            payload.json.member("originalLink", nil as String?)
        }
        payload.dynamics365Links(message)
        if let image = message.imageURL { payload.json.member("imageUrl", image.text) }
        payload.json.endObject()
        payload.custom(message.custom)
        payload.json.endObject()
    }
}
