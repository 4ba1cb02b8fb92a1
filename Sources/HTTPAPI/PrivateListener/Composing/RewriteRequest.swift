import Identifiers
import JSON
import Messages
import UseCases

/// The URLs to which the links of mails may lead.
struct MailTargets {
    let rules: TargetRules
    /// The links that their message has already; `nil` if the message is not known.
    let known: KnownLinks?

    func target(_ url: String) throws(TargetURLError) -> TargetURL {
        guard let known else { return try TargetURL(url, rules: rules) }
        return try known.target(url, rules: rules)
    }
}

extension MessageBody {
    /// The same body with its links judged by other rules.
    func judgedAgain(by targets: MailTargets) throws(BodyError) -> MessageBody {
        try judgedAgain { url throws(TargetURLError) in try targets.target(url) }
    }
}

extension PersonalMail {
    /// The same mail with its links judged by other rules.
    func judgedAgain(by targets: MailTargets) throws(BodyError) -> PersonalMail {
        var judged: [MessageBody] = []
        for body in bodies { judged.append(try body.judgedAgain(by: targets)) }
        return PersonalMail(recipient: recipient, bodies: judged)
    }
}

/// A request that names the message of its mails. Which links are accepted depends on the links of the message.
protocol MessageNaming {
    static func shape(_ targets: MailTargets) -> JSONShape<Self>
}

extension MessageNaming {
    /// The member that names the message.
    static var memberOfMessage: String { "messageId" }

    /// The message that a document names, before it is read whole.
    /// - Returns: `nil` if it names none. Invalid members are refused when it is read whole.
    static func messageID(in document: JSONValue) -> MessageID? {
        guard case .object(let object) = document, case .string(let text) = object[memberOfMessage] else { return nil }
        return try? MessageID(text)
    }
}

/// A mail that was made for one recipient, and the message that its links belong to.
struct RewriteRequest: MessageNaming {
    let message: MessageID
    let mail: PersonalMail

    static func shape(_ targets: MailTargets) -> JSONShape<RewriteRequest> {
        .object { fields throws(BodyProblems) in
            let message = fields.messageID()
            let mail = fields.personalMail(targets, instead: [])
            try fields.finish()
            return RewriteRequest(message: try message.get(), mail: try mail.get(fields.pointer))
        }
    }
}

/// The first line of a request whose mails follow one a line.
struct RewriteOrder: MessageNaming {
    let message: MessageID
    /// The bodies for lines that have none of their own.
    let bodies: [MessageBody]

    static func shape(_ targets: MailTargets) -> JSONShape<RewriteOrder> {
        .object { fields throws(BodyProblems) in
            let message = fields.messageID()
            let bodies = fields.bodies(targets, instead: [])
            try fields.finish()
            return RewriteOrder(message: try message.get(), bodies: bodies)
        }
    }
}

extension PersonalMail {
    /// - Parameters:
    ///   - others: the bodies for a mail that has none of its own.
    ///   - cache: a cache of mails that were read under the same rules.
    static func shape(
        _ targets: MailTargets, instead others: [MessageBody], cache: LinkVerdictCache
    ) -> JSONShape<PersonalMail> {
        .object { fields throws(BodyProblems) in
            let mail = fields.personalMail(targets, instead: others, cache: cache)
            try fields.finish()
            return try mail.get(fields.pointer)
        }
    }

    /// The members of a mail, before all of them are known to be valid.
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
        required(RewriteRequest.memberOfMessage, .string { text throws(IdentifierError) in try MessageID(text) })
    }

    fileprivate mutating func personalMail(
        _ targets: MailTargets, instead: [MessageBody], cache: LinkVerdictCache? = nil
    ) -> PersonalMail.Members {
        let recipient = required("recipient", .string(RecipientID.init))
        return PersonalMail.Members(recipient: recipient, bodies: bodies(targets, instead: instead, cache: cache))
    }

    /// The HTML body comes first.
    fileprivate mutating func bodies(
        _ targets: MailTargets, instead others: [MessageBody], cache: LinkVerdictCache? = nil
    ) -> [MessageBody] {
        BodyLink.Part.allCases.compactMap { part in
            optional(part.rawValue, MessageBody.shape(part, targets, cache: cache))
                ?? others.first { $0.part == part }
        }
    }
}

extension MessageBody {
    fileprivate static func shape(
        _ part: BodyLink.Part, _ targets: MailTargets, cache: LinkVerdictCache?
    ) -> JSONShape<MessageBody> {
        JSONShape { value, pointer throws(BodyProblems) in
            let text = try JSONShape<String>.text(length: 0...maximumLength).read(value, at: pointer)
            let body: MessageBody
            do throws(BodyError) {
                body = try MessageBody(text, part, cache: cache) { url throws(TargetURLError) in
                    try targets.target(url)
                }
            } catch {
                throw BodyProblems(pointer, error.description)
            }
            if let fault = body.placeholderFault { throw BodyProblems(pointer, fault.description) }
            return body
        }
    }
}
