/// What a body is written to, part by part: a template for all recipients, or the mail of one.
package protocol BodyOutput {
    /// Bytes of UTF-8. They may end within a character.
    mutating func append(_ bytes: UnsafeBufferPointer<UInt8>)
    /// A blank: a template keeps it, and the mail of one recipient gets its content.
    mutating func append(_ blank: Template.Blank)
}

extension BodyOutput {
    mutating func append(_ text: String) {
        var text = text
        text.withUTF8 { append($0) }
    }
}

extension Template: BodyOutput {}
