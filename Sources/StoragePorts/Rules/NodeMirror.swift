package import Identifiers

/// A ``RuleMirror`` as its owner uses it: notes must be written to its file regularly.
package protocol NodeMirror: RuleMirror {
    /// Whether its file had all rules of some time when it was opened, and they could be read.
    var hasRules: Bool { get }

    /// The last change of the rules that was in the file when it was opened; `nil` without rules.
    var begin: RuleCursor? { get }

    /// The latest time that was in the file when it was opened.
    var notedAt: Timestamp { get }

    /// The addresses at which other nodes could be asked.
    var peers: [String] { get }

    /// Sets the addresses at which other nodes can be asked. They are written with the next ``flush(at:)``.
    func store(peers: [String])

    /// How long the file has lacked something; zero if it has all notes and all messages.
    var lag: Duration { get }

    /// Whether its file was found to be damaged. Then nothing is written until ``repair()`` has made a new file.
    var isDamaged: Bool { get }

    /// Reads the whole file, to find out whether it is damaged.
    func check() async throws

    /// Replaces a damaged file by a new one without rules and messages. Does nothing within a minute after the last
    /// time. Calls must not be concurrent, also not with ``flush(at:)``.
    func repair() async throws

    /// Writes the notes to the file. Calls must not be concurrent.
    /// - Parameter now: service time.
    func flush(at now: Timestamp) async throws

    /// Copies some of the missing messages. Calls must not be concurrent, also not with ``flush(at:)``.
    /// - Throws: the errors of the feed, or another ``StoreFailure``.
    func copyMessages(from feed: any RuleFeed) async throws
}
