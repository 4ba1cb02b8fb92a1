import Logging
import Synchronization
import TrackingIDs

/// The copy of the nodes' ring of signing keys in the data folder, with which the node starts without the database.
///
/// Nothing depends on it: if it cannot be written, for example because the disk is full, the log says so, the node uses
/// the ring in memory, and the copy is written later. Another start reads the ring from the database.
final class KeyRingCopy: Sendable {
    /// The pause after a failure.
    private static let pause = Duration.seconds(5)

    private struct State {
        /// Whether the file lacks the present ring.
        var isBehind = false
        /// Rings with keys that the present ring lacks. They are kept before the file is written.
        var dropped: [KeyRing] = []
        /// The last failure and its time.
        var failure: (reason: String, at: ContinuousClock.Instant)?
    }

    private let file: KeyRingFile
    private let current: CurrentKeyRing
    private let logger: Logger
    /// Held while the files are written, so that an earlier ring does not replace a later one.
    private let state = Mutex(State())

    /// - Parameter current: the ring that the node uses.
    init(_ file: KeyRingFile, of current: CurrentKeyRing, logger: Logger) {
        self.file = file
        self.current = current
        self.logger = logger
    }

    /// Writes the present ring. Durable on return, unless the log says that it failed.
    /// - Parameter dropped: rings to keep, because they have keys that the present ring lacks.
    func write(keeping dropped: [KeyRing] = []) {
        state.withLock { state in
            state.isBehind = true
            state.dropped += dropped
            attempt(&state)
        }
    }

    /// Writes what could not be written before, a while after that.
    func retry() {
        state.withLock { state in
            guard state.isBehind, state.failure.map({ .now - $0.at >= Self.pause }) ?? true else { return }
            attempt(&state)
        }
    }

    private func attempt(_ state: inout State) {
        do {
            while let ring = state.dropped.first {
                try file.keep(ring)
                state.dropped.removeFirst()
            }
            let ring = current.value
            // A full disk needs no log line if the file is right.
            if try file.file.read() != KeyRingFile.bytes(of: ring, folder: file.folder) { try file.write(ring) }
            if state.failure != nil { logger.notice("keyring.json has the signing keys of all nodes again") }
            state = State()
        } catch {
            let reason = "\(error)"
            if state.failure?.reason != reason {
                logger.error(
                    """
                    keyring.json cannot be written: the node has the signing keys of all nodes in memory alone, and \
                    without the database it would start with earlier ones
                    """, metadata: ["error": "\(reason)"])
            }
            state.failure = (reason, .now)
        }
    }
}
