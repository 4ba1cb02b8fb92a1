import Identifiers
import Interactions
import JSON
import Messages

extension Message {
    /// Refuses a button that could not be distinguished from a tap on the notification itself.
    func checkBirdActions(at pointer: JSONPointer) throws(BodyProblems) {
        let tap = ActionIdentifier.tap.text
        let problems = actions.indices.filter { actions[$0].id.utf8.elementsEqual(tap.utf8) }.map {
            FieldProblem(
                pointer.appending("actions").appending($0).appending("id"),
                "must not be \(tap), which in this format is a tap on the message itself")
        }
        if let problems = BodyProblems(problems) { throw problems }
    }
}

extension PayloadWriter {
    /// The object `bird`: the data of a message for an app's handler.
    mutating func birdObject(_ message: Message) {
        json.beginObject()
        json.member("type", "Tap")
        if !message.custom.isEmpty {
            embedded("payload") { payload in
                payload.json.beginObject()
                payload.custom(message.custom)
                payload.json.endObject()
            }
        }
        json.key("action")
        birdAction(ActionIdentifier.tap.text, title: nil, message.link, at: Message.ownLinkIndex)
        if !message.actions.isEmpty {
            json.key("actions")
            json.beginArray()
            for (position, action) in message.actions.enumerated() {
                birdAction(action.id, title: action.title, action.link, at: Message.linkIndex(ofActionAt: position))
            }
            json.endArray()
        }
        if let link = message.link { json.member("originalLink", link.target.text) }
        trackingID("trackingId", otherwise: nil)
        json.endObject()
    }

    private mutating func birdAction(
        _ identifier: String, title: String?, _ link: Message.Link?, at index: LinkIndex
    ) {
        json.beginObject()
        json.member("type", BirdActionType(link).rawValue)
        json.member("identifier", identifier)
        if let title { json.member("title", title) }
        if let link {
            self.link("url", link, at: index)
            self.link("uri", link, at: index)
        }
        json.endObject()
    }
}
