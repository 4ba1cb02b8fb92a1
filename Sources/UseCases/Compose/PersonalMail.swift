package import Identifiers
package import Messages

/// A mail that its sender made for one recipient.
package struct PersonalMail: Sendable {
    package let recipient: RecipientID
    /// HTML first. There is at least one body.
    package let bodies: [MessageBody]

    package init(recipient: RecipientID, bodies: [MessageBody]) {
        self.recipient = recipient
        self.bodies = bodies
    }
}
