import JSON

/// The kind of a line of an answer, as far as its beginning shows it.
package enum AnsweredLine {
    /// How a payload begins, and a rewritten mail.
    package static let payloadBeginning = Array(#"{"recipient":""#.utf8)
    /// How a recorded consent begins.
    static let consentBeginning = Array(#"{"id":""#.utf8)
    private static let refusalBeginning = Array(#"{"error""#.utf8)
    private static let serviceUnavailable = 503
    private static let unauthorized = 401

    /// Whether a line can be the answer to one that was sent.
    ///
    /// - Parameter beginning: how an answer begins that is no refusal.
    static func isAnswer(_ line: ArraySlice<UInt8>, beginning: [UInt8]) -> Bool {
        line.starts(with: beginning) || line.starts(with: refusalBeginning)
    }

    /// - Returns: `nil` for a line that is no refusal.
    package static func refusal(_ line: ArraySlice<UInt8>) -> Problem? {
        guard line.starts(with: refusalBeginning) else { return nil }
        return Problem(line: (try? JSONValue.parse(line))?["error"])
    }

    /// Whether the service could not store the line's content at that time. The line, and all lines after it, must be
    /// sent again.
    package static func mustBeSentAgain(_ line: ArraySlice<UInt8>) -> Bool {
        refusal(line)?.status == serviceUnavailable
    }

    /// Why the connection is of no use from this line on: the service cannot store now (503), or the key was deleted
    /// (401). The line is no answer to a line that was sent.
    ///
    /// - Returns: `nil` for an answer.
    static func ending(_ line: ArraySlice<UInt8>) -> Problem? {
        refusal(line).flatMap { [serviceUnavailable, unauthorized].contains($0.status) ? $0 : nil }
    }
}
