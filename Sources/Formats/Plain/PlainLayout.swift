import JSON
import Messages

/// Only the links and the tracking ID: the backend builds its payload around them.
struct PlainLayout: PayloadLayout {
    let carried: Set<Message.Member> = [.link]
    let maximumLength: Int? = nil

    func check(_: Message, at _: JSONPointer) throws(BodyProblems) {}

    func write(_ message: Message, to payload: inout PayloadWriter) {
        payload.json.beginObject()
        payload.dynamics365Links(message)
        payload.json.endObject()
    }
}
