import Identifiers
import JSON
import Messages
import UseCases

/// A mail that was made for one recipient, and the message that its links belong to.
struct RewriteRequest {
    let message: MessageID
    let mail: PersonalMail

    /// - Parameter rules: where its links may lead.
    static func shape(rules: TargetRules) -> JSONShape<RewriteRequest> {
        .object { fields throws(BodyProblems) in
            let message = fields.messageID()
            let mail = fields.personalMail(rules: rules, instead: [])
            try fields.finish()
            return RewriteRequest(message: try message.get(), mail: try mail.get(fields.pointer))
        }
    }
}

/// The first line of mails that come one a line.
struct RewriteOrder {
    let message: MessageID
    /// What a line has that brings none of its own.
    let bodies: [MessageBody]

    static func shape(rules: TargetRules) -> JSONShape<RewriteOrder> {
        .object { fields throws(BodyProblems) in
            let message = fields.messageID()
            let bodies = fields.bodies(rules: rules, instead: [])
            try fields.finish()
            return RewriteOrder(message: try message.get(), bodies: bodies)
        }
    }
}

extension PersonalMail {
    /// - Parameters:
    ///   - others: the bodies of a mail that brings none of its own.
    ///   - cache: of mails that were read under the same rules.
    static func shape(
        rules: TargetRules, instead others: [MessageBody], cache: LinkVerdictCache
    ) -> JSONShape<PersonalMail> {
        .object { fields throws(BodyProblems) in
            let mail = fields.personalMail(rules: rules, instead: others, cache: cache)
            try fields.finish()
            return try mail.get(fields.pointer)
        }
    }

    /// Its members, until it is known that all of them fit.
    fileprivate struct Members {
        let recipient: Result<RecipientID, BodyProblems>
        let bodies: [MessageBody]

        func get(_ pointer: JSONPointer) throws(BodyProblems) -> PersonalMail {
            guard !bodies.isEmpty else { throw BodyProblems(pointer.appending("html"), "is required, or text") }
            return PersonalMail(recipient: try recipient.get(), bodies: bodies)
        }
    }
}

extension ObjectReader {
    fileprivate mutating func messageID() -> Result<MessageID, BodyProblems> {
        required("messageId", .string { text throws(IdentifierError) in try MessageID(text) })
    }

    fileprivate mutating func personalMail(
        rules: TargetRules, instead: [MessageBody], cache: LinkVerdictCache? = nil
    ) -> PersonalMail.Members {
        let recipient = required("recipient", .string(RecipientID.init))
        return PersonalMail.Members(recipient: recipient, bodies: bodies(rules: rules, instead: instead, cache: cache))
    }

    /// HTML first.
    fileprivate mutating func bodies(
        rules: TargetRules, instead others: [MessageBody], cache: LinkVerdictCache? = nil
    ) -> [MessageBody] {
        BodyLink.Part.allCases.compactMap { part in
            optional(part.rawValue, MessageBody.shape(part, rules: rules, cache: cache))
                ?? others.first { $0.part == part }
        }
    }
}

extension MessageBody {
    fileprivate static func shape(
        _ part: BodyLink.Part, rules: TargetRules, cache: LinkVerdictCache?
    ) -> JSONShape<MessageBody> {
        JSONShape { value, pointer throws(BodyProblems) in
            let text = try JSONShape<String>.text(length: 0...maximumLength).read(value, at: pointer)
            let body: MessageBody
            do throws(BodyError) {
                body = try MessageBody(text, part, cache: cache) { url throws(TargetURLError) in
                    try TargetURL(url, rules: rules)
                }
            } catch {
                throw BodyProblems(pointer, error.description)
            }
            if let fault = body.placeholderFault { throw BodyProblems(pointer, fault.description) }
            return body
        }
    }
}
