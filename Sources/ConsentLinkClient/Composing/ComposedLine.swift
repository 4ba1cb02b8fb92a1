import JSON

/// The answer to one recipient of a stream.
public enum ComposedLine: Sendable {
    case payload(PayloadLine)
    /// No payload can be composed for the recipient, for example because it is empty. The other lines are not affected.
    case refused(Problem)

    init(_ line: ArraySlice<UInt8>) {
        self = AnsweredLine.refusal(line).map { .refused($0) } ?? .payload(PayloadLine(json: line))
    }
}

/// A payload as a line of JSON. Its parts are read when they are asked for.
public struct PayloadLine: Sendable {
    /// The object as the service sent it, in UTF-8, without a line feed.
    public let json: ArraySlice<UInt8>

    /// The payload with all its parts.
    ///
    /// ```swift
    /// let composed = try line.parsed()
    /// send(composed.payload.text, to: composed.recipient)
    /// ```
    public func parsed() throws(ConsentLinkError) -> ComposedPayload {
        guard let value = try? JSONValue.parse(answer: json) else { throw .unexpectedAnswer("it is not a payload") }
        return try ComposedPayload(value)
    }
}
