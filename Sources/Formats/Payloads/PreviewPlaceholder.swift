import Identifiers
import Messages

/// The placeholder in a preview for each value that is made for one recipient. It has the same length, so that the
/// payload has the same size, and is no tracking ID: no tracking ID has a version that begins like it.
enum PreviewPlaceholder {
    private static let word = "preview"

    static func text(length: Int) -> String { word + String(repeating: "0", count: max(0, length - word.utf8.count)) }

    /// - Parameter message: the message's id, if it is stored.
    static func fill(_ blank: Template.Blank, of message: MessageID?, _ output: inout [UInt8]) {
        switch (blank, message) {
        case (.messageID, let message?): output.append(contentsOf: message.description.utf8)
        case (.messageID, nil), (.trackingID, _), (.hexadecimalTrackingID, _):
            output.append(contentsOf: text(length: blank.length).utf8)
        }
    }
}
