import ASCII
import JSON
import Messages

/// The limits of the carriers for a payload.
enum Carrier {
    /// The most bytes of UTF-8 that APNs and FCM accept.
    static let maximumLength = 4096

    /// Refuses custom keys that the payload itself uses, or that the carrier reserves.
    static func check(
        _ fields: [Message.CustomField], at pointer: JSONPointer, isReserved: (String) -> Bool
    ) throws(BodyProblems) {
        let problems = fields.filter { isReserved($0.key) }.map {
            FieldProblem(pointer.appending("custom").appending($0.key), "is a key that this format itself uses")
        }
        if let problems = BodyProblems(problems) { throw problems }
    }

    /// Refuses custom keys in FCM data: those that the payload itself uses, and those that FCM reserves.
    static func checkFCMData(
        _ fields: [Message.CustomField], beside ownKeys: Set<String>, at pointer: JSONPointer
    ) throws(BodyProblems) {
        try check(fields, at: pointer) { ownKeys.contains($0) || isReservedByFCM($0) }
    }

    /// Keys that FCM refuses in `data`, in any case. Bytes are compared: for Swift, a `google` with a combining accent
    /// after its last letter does not begin with `google`; for FCM it does.
    private static func isReservedByFCM(_ key: String) -> Bool {
        let lowered = key.utf8.map(\.lowerCased)
        return lowered.elementsEqual("from".utf8) || lowered.elementsEqual("message_type".utf8)
            || lowered.starts(with: "google".utf8) || lowered.starts(with: "gcm".utf8)
    }
}

extension PayloadWriter {
    /// The dictionary `aps` of APNs.
    ///
    /// - Parameter hasImage: whether the payload has the address of an image; `mutable-content` then starts the
    ///   extension of the app that fetches it.
    mutating func aps(_ message: Message, category: String?, hasImage: Bool) {
        json.key("aps")
        json.beginObject()
        if message.title != nil || message.body != nil {
            json.key("alert")
            json.object { json in
                if let title = message.title { json.member("title", title) }
                if let body = message.body { json.member("body", body) }
            }
        }
        if let badge = message.badge { json.member("badge", badge) }
        if let sound = message.sound { json.member("sound", sound) }
        if let category { json.member("category", category) }
        if message.contentAvailable { json.member("content-available", 1) }
        if hasImage { json.member("mutable-content", 1) }
        json.endObject()
    }

    /// A data message of FCM: title and body under the keys that every such app reads, and what `fill` adds.
    mutating func fcmData(_ message: Message, _ fill: (inout PayloadWriter) -> Void) {
        json.beginObject()
        json.key("data")
        json.beginObject()
        if let title = message.title { json.member("title", title) }
        if let body = message.body { json.member("body", body) }
        fill(&self)
        json.endObject()
        json.endObject()
    }

    mutating func custom(_ fields: [Message.CustomField]) {
        for field in fields { personalText(field.key, field.value) }
    }
}
