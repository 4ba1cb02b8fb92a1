import Dispatch
import Identifiers
import Logging
import ServiceLifecycle

/// Keeps the ``TimeNote`` in the node's file up to date.
struct TimeNoteService: Service {
    private static let interval = Duration.seconds(1)
    /// In nanoseconds: a note that is wrong by less stays.
    private static let tolerance: Int64 = 20_000_000
    /// An older note is renewed.
    private static let maximumAge = Duration.minutes(10)

    private let time: ClusterTime
    private let file: NodeFile
    private let logger: Logger
    private let queue = DispatchQueue(label: "consentlink.time")

    init(_ time: ClusterTime, file: NodeFile, logger: Logger) {
        self.time = time
        self.file = file
        self.logger = logger
    }

    func run() async {
        await cancelWhenGracefulShutdown { await follow() }
        if let note = time.note { await write(note) }
    }

    private func follow() async {
        var written: TimeNote?
        while (try? await Task.sleep(for: Self.interval)) != nil {
            guard let note = time.note, Self.mustWrite(note, after: written) else { continue }
            written = note
            await write(note)
        }
    }

    static func mustWrite(_ note: TimeNote, after written: TimeNote?) -> Bool {
        guard let written else { return true }
        return abs(note.offset &- written.offset) > tolerance || note.gaps != written.gaps
            || note.heardAt > written.heardAt.advanced(by: maximumAge)
    }

    private func write(_ note: TimeNote) async {
        await withCheckedContinuation { continuation in
            queue.async {
                self.writeNow(note)
                continuation.resume()
            }
        }
    }

    /// Without the note, a process that starts while the server is away goes by an earlier one, or by none.
    private func writeNow(_ note: TimeNote) {
        do {
            try file.store(note)
        } catch {
            logger.warning("the server's time cannot be noted", metadata: ["error": "\(error)"])
        }
    }
}
