import JSON

/// What stands in a line of an answer, as far as its beginning says.
package enum AnsweredLine {
    private static let refusalBeginning = Array(#"{"error""#.utf8)
    private static let serviceUnavailable = 503
    private static let unauthorized = 401

    /// - Returns: `nil` for a line that is no refusal.
    package static func refusal(_ line: ArraySlice<UInt8>) -> Problem? {
        guard line.starts(with: refusalBeginning) else { return nil }
        return Problem(line: (try? JSONValue.parse(line))?["error"])
    }

    /// Whether the service could not store what the line is about just then. The line must be sent again, and with it
    /// everything behind it.
    package static func mustBeSentAgain(_ line: ArraySlice<UInt8>) -> Bool {
        refusal(line)?.status == serviceUnavailable
    }

    /// Why the connection comes to nothing from this line on: the service cannot store just now (503), or the key was
    /// deleted (401). The line answers none that was sent.
    ///
    /// - Returns: `nil` for an answer.
    static func ending(_ line: ArraySlice<UInt8>) -> Problem? {
        refusal(line).flatMap { [serviceUnavailable, unauthorized].contains($0.status) ? $0 : nil }
    }
}
