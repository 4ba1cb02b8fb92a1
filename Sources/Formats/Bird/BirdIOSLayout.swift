import JSON
import Messages

/// Bird on iOS: an object `bird` beside `aps`. Bird's own payload is not public; this one is ours.
struct BirdIOSLayout: PayloadLayout {
    let carried = Message.Member.ofNotifications.subtracting([.imageURL])
    let maximumLength: Int? = Carrier.maximumLength

    /// The category under which Bird's SDK registers its buttons.
    private static let category = "BIRD"

    func check(_ message: Message, at pointer: JSONPointer) throws(BodyProblems) {
        try message.checkBirdActions(at: pointer)
        try Carrier.check(message.custom, at: pointer) { $0 == "aps" || $0 == "bird" }
    }

    func write(_ message: Message, to payload: inout PayloadWriter) {
        payload.json.beginObject()
        payload.aps(message, category: message.category ?? Self.category, hasImage: false)
        payload.json.key("bird")
        payload.birdObject(message)
        payload.json.endObject()
    }
}
