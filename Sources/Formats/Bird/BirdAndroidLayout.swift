import JSON
import Messages

/// Bird on Android: FCM data, in which the object of iOS is one string.
struct BirdAndroidLayout: PayloadLayout {
    let carried: Set<Message.Member> = [.title, .body, .link, .actions, .custom]
    let maximumLength: Int? = Carrier.maximumLength

    private static let ownKeys: Set<String> = ["title", "body", "bird"]

    func check(_ message: Message, at pointer: JSONPointer) throws(BodyProblems) {
        try message.checkBirdActions(at: pointer)
        try Carrier.checkFCMData(message.custom, beside: Self.ownKeys, at: pointer)
    }

    func write(_ message: Message, to payload: inout PayloadWriter) {
        payload.fcmData(message) { payload in payload.embedded("bird") { $0.birdObject(message) } }
    }
}
