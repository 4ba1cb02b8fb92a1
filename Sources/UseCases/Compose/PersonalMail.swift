package import Identifiers
package import Messages

/// A mail that was made for one recipient.
package struct PersonalMail: Sendable {
    package let recipient: RecipientID
    /// HTML first; there is at least one.
    package let bodies: [MessageBody]

    package init(recipient: RecipientID, bodies: [MessageBody]) {
        self.recipient = recipient
        self.bodies = bodies
    }
}
