import Identifiers
import JSON
import Messages

/// A mail that was made for one person, and the message that its links belong to.
struct RewriteRequest {
    let message: MessageID
    let recipient: RecipientID
    /// HTML first; there is at least one.
    let bodies: [MessageBody]

    /// - Parameter rules: where its links may lead.
    static func shape(rules: TargetRules) -> JSONShape<RewriteRequest> {
        .object { fields throws(BodyProblems) in
            let message = fields.required("messageId", .string { text throws(IdentifierError) in try MessageID(text) })
            let recipient = fields.required("recipient", .string(RecipientID.init))
            let html = fields.optional("html", MessageBody.shape(.html, rules: rules))
            let text = fields.optional("text", MessageBody.shape(.text, rules: rules))
            try fields.finish()
            let bodies = [html, text].compactMap { $0 }
            guard !bodies.isEmpty else {
                throw BodyProblems(fields.pointer.appending("html"), "is required, or text")
            }
            return RewriteRequest(message: try message.get(), recipient: try recipient.get(), bodies: bodies)
        }
    }
}

extension MessageBody {
    fileprivate static func shape(_ place: BodyLink.Place, rules: TargetRules) -> JSONShape<MessageBody> {
        JSONShape { value, pointer throws(BodyProblems) in
            let text = try JSONShape<String>.text(length: 0...maximumLength).read(value, at: pointer)
            do throws(BodyError) {
                return try MessageBody(text, place) { url throws(TargetURLError) in try TargetURL(url, rules: rules) }
            } catch {
                throw BodyProblems(pointer, error.description)
            }
        }
    }
}
