import JSON
import Messages

/// Adobe Campaign Standard on iOS: all keys are beside `aps`.
struct AdobeCampaignIOSLayout: PayloadLayout {
    let carried = Message.Member.ofNotifications.subtracting([.actions])
    let maximumLength: Int? = Carrier.maximumLength

    func check(_ message: Message, at pointer: JSONPointer) throws(BodyProblems) {
        try Carrier.check(message.custom, at: pointer) { $0 == "aps" || AdobeCampaign.fieldNames.contains($0) }
    }

    func write(_ message: Message, to payload: inout PayloadWriter) {
        payload.json.beginObject()
        payload.aps(message, category: message.category, hasImage: message.imageURL != nil)
        payload.adobeCampaignFields(message)
        payload.json.endObject()
    }
}
