import JSON
import Messages

/// Bird on Android: FCM data, in which the object of iOS is one string.
struct BirdAndroidLayout: PayloadLayout {
    let carried: Set<Message.Member> = [.title, .body, .actions, .custom]
    let maximumLength: Int? = Carrier.maximumLength

    private static let ownKeys: Set<String> = ["title", "body", "bird"]

    func check(_ message: Message, at pointer: JSONPointer) throws(BodyProblems) {
        try Carrier.check(message.custom, at: pointer) {
            Self.ownKeys.contains($0) || Carrier.isReservedByFCM($0)
        }
    }

    func write(_ message: Message, to payload: inout PayloadWriter) {
        payload.json.beginObject()
        payload.json.key("data")
        payload.json.beginObject()
        if let title = message.title { payload.json.member("title", title) }
        if let body = message.body { payload.json.member("body", body) }
        payload.embedded("bird") { $0.birdObject(message) }
        payload.json.endObject()
        payload.json.endObject()
    }
}
