import ConsentLinkClient
import JSON

/// The recipients that have payloads, in their order, as a value to compare with those of a file.
///
/// It contains a hash instead of the recipients, so its size does not grow with them. The hash is valid only in this
/// process.
struct AnsweredRecipients: Sendable {
    private static let payloadBeginning = Array(#"{"recipient":"#.utf8)
    private static let quote = UInt8(ascii: "\"")
    private static let backslash = UInt8(ascii: "\\")

    private var hasher = Hasher()

    static func == (one: Self, other: Self) -> Bool { one.hasher.finalized == other.hasher.finalized }

    /// Adds the recipient of a payload, which is at the beginning of its line.
    mutating func add(ofPayload line: ArraySlice<UInt8>) {
        let value = line.dropFirst(Self.payloadBeginning.count)
        var end = value.startIndex + 1
        while end < value.endIndex, value[end] != Self.quote {
            end += value[end] == Self.backslash ? 2 : 1
        }
        add(value[..<min(end + 1, value.endIndex)])
    }

    /// Adds a recipient.
    ///
    /// - Parameter json: a JSON string, possibly with white space around it.
    mutating func add(_ json: ArraySlice<UInt8>) {
        let isPlain = json.first == Self.quote && json.last == Self.quote && !json.contains(Self.backslash)
        if isPlain, json.count > 1 {
            add(text: json.dropFirst().dropLast())
        } else if case .string(let text)? = try? JSONValue.parse(Array(json)) {
            add(text: Array(text.utf8)[...])
        } else {
            add(text: json)
        }
    }

    private mutating func add(text: ArraySlice<UInt8>) {
        hasher.combine(text.count)
        text.withUnsafeBytes { hasher.combine(bytes: $0) }
    }
}

extension Hasher {
    /// The hash of the recipients so far; more can be added.
    fileprivate var finalized: Int {
        let copy = self
        return copy.finalize()
    }
}
