package import Identifiers

/// A ``RuleMirror`` as its keeper has it: what is noted must be written to its file now and then.
package protocol NodeMirror: RuleMirror {
    /// Whether its file had all rules, as they were at some time, when it was opened.
    var hasRules: Bool { get }

    /// The latest time that was noted in the file when it was opened.
    var notedAt: Timestamp { get }

    /// Where other nodes could be asked.
    var peers: [String] { get }

    /// Other nodes can be asked there from now on. Written with the next ``flush(at:)``.
    func note(peers: [String])

    /// For how long something has been missing in the file; zero while it has everything that was noted, and all messages.
    var lag: Duration { get }

    /// Writes to the file what was noted. One at a time may call.
    /// - Parameter now: service time.
    func flush(at now: Timestamp) async throws

    /// Copies some of the messages that are not here yet. One at a time may call, and not beside ``flush(at:)``.
    /// - Throws: what the feed throws, or another ``StoreFailure``.
    func copyMessages(from feed: any RuleFeed) async throws
}
