import Formats
import Identifiers
import JSON
import Messages

/// What a backend asks for when it composes.
struct PayloadRequest {
    enum MessageChoice {
        case inline(Message)
        case stored(MessageID)
    }

    static let maximumRecipients = 10_000

    let message: MessageChoice
    let format: PayloadFormat
    let recipients: [RecipientID]

    /// Where the message stands in the request.
    var pointer: JSONPointer {
        switch message {
        case .inline: .root.appending("message")
        case .stored: .root.appending("messageId")
        }
    }

    static func shape(message: JSONShape<Message>) -> JSONShape<PayloadRequest> {
        .object { fields throws(BodyProblems) in
            let inline = fields.optional("message", message)
            let stored = fields.optional("messageId", .string { text throws(IdentifierError) in try MessageID(text) })
            let name = fields.required("format", JSONShape<PayloadFormat.Name>.choice)
            let platform = fields.optional("platform", JSONShape<PayloadFormat.Platform>.choice)
            let recipients = fields.required(
                "recipients", .array(of: .string(RecipientID.init), count: 1...maximumRecipients))
            try fields.finish()
            let validName = try name.get()
            let format: PayloadFormat
            do throws(PayloadFormatError) {
                format = try PayloadFormat(validName, platform: platform)
            } catch {
                throw BodyProblems(fields.pointer.appending("platform"), error.description)
            }
            return PayloadRequest(
                message: try choose(inline, stored, fields.pointer), format: format, recipients: try recipients.get())
        }
    }

    private static func choose(
        _ inline: Message?, _ stored: MessageID?, _ pointer: JSONPointer
    ) throws(BodyProblems) -> MessageChoice {
        switch (inline, stored) {
        case (let message?, nil): return .inline(message)
        case (nil, let id?): return .stored(id)
        case (nil, nil): throw BodyProblems(pointer.appending("message"), "is required, or messageId")
        case (_?, _?): throw BodyProblems(pointer.appending("messageId"), "must not be set beside message")
        }
    }
}
