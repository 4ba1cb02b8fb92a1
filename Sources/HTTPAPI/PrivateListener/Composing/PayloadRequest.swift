import Formats
import Identifiers
import JSON
import Messages

/// A backend's order to compose, without the recipients.
///
/// `Content` is the type of a message in the request: `Message` to compose it, nothing to answer a repeated request.
struct PayloadOrder<Content> {
    enum MessageChoice {
        case inline(Content)
        case stored(MessageID)
    }

    let message: MessageChoice
    let format: PayloadFormat
    /// Whether nothing is to be stored or signed.
    let isPreview: Bool

    /// The message that the order names; `nil` if it contains one.
    var storedMessage: MessageID? {
        if case .stored(let id) = message { id } else { nil }
    }

    /// The message that the order contains; `nil` if it names one.
    var ownMessage: Content? {
        if case .inline(let content) = message { content } else { nil }
    }

    /// The pointer to the message in the request.
    var pointer: JSONPointer {
        switch message {
        case .inline: .root.appending("message")
        case .stored: .root.appending("messageId")
        }
    }

    /// Runs `body` with the pointer to the message. A stored message is not part of the request, so its problems point
    /// to `messageId`, and their text says which part of the message is meant.
    func namingProblems<Value>(
        _ body: (JSONPointer) throws(BodyProblems) -> Value
    ) throws(BodyProblems) -> Value {
        guard case .stored = message else { return try body(pointer) }
        do throws(BodyProblems) {
            return try body(.root)
        } catch {
            throw error.within("the message", at: pointer)
        }
    }

    /// The first line of a request that composes by lines. Its recipients follow one by one.
    static func shape(message: JSONShape<Content>) -> JSONShape<PayloadOrder> {
        .object { fields throws(BodyProblems) in try read(&fields, message) { _ throws(BodyProblems) in }.order }
    }

    /// - Parameter others: takes members besides those of the order.
    fileprivate static func read<Others>(
        _ fields: inout ObjectReader, _ message: JSONShape<Content>,
        others: (inout ObjectReader) throws(BodyProblems) -> Others
    ) throws(BodyProblems) -> (order: PayloadOrder, others: Others) {
        let inline = fields.optional("message", message)
        let stored = fields.optional("messageId", .string { text throws(IdentifierError) in try MessageID(text) })
        let name = fields.required("format", JSONShape<PayloadFormat.Name>.choice)
        let platform = fields.optional("platform", JSONShape<PayloadFormat.Platform>.choice)
        let isPreview = fields.optional(previewName, .bool, default: false)
        let others = try others(&fields)
        try fields.finish()
        let validName = try name.get()
        let format: PayloadFormat
        do throws(PayloadFormatError) {
            format = try PayloadFormat(validName, platform: platform)
        } catch {
            throw BodyProblems(fields.pointer.appending("platform"), error.description)
        }
        return (
            PayloadOrder(
                message: try choose(inline: inline, stored: stored, at: fields.pointer), format: format,
                isPreview: isPreview), others
        )
    }

    private static var previewName: String { "preview" }

    /// Whether a document asks for a preview, before it is read whole. An invalid member is refused when it is read
    /// whole.
    static func isPreview(_ document: JSONValue) -> Bool {
        guard case .object(let object) = document else { return false }
        return object[previewName] == .bool(true)
    }

    private static func choose(
        inline: Content?, stored: MessageID?, at pointer: JSONPointer
    ) throws(BodyProblems) -> MessageChoice {
        switch (inline, stored) {
        case (let message?, nil): return .inline(message)
        case (nil, let id?): return .stored(id)
        case (nil, nil): throw BodyProblems(pointer.appending("message"), "is required, or messageId")
        case (_?, _?): throw BodyProblems(pointer.appending("messageId"), "must not be set beside message")
        }
    }
}

/// An order with its recipients, in one body.
struct PayloadRequest<Content> {
    static var maximumRecipients: Int { 10_000 }

    let order: PayloadOrder<Content>
    let recipients: [RecipientID]

    static func shape(message: JSONShape<Content>) -> JSONShape<PayloadRequest> {
        .object { fields throws(BodyProblems) in
            let (order, recipients) = try PayloadOrder.read(&fields, message) { fields throws(BodyProblems) in
                fields.required("recipients", .array(of: .string(RecipientID.init), count: 1...maximumRecipients))
            }
            return PayloadRequest(order: order, recipients: try recipients.get())
        }
    }
}
