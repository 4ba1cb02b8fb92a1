package import Logging
import UnixSignals

/// The signals of a process that has nothing to reload: SIGTERM and SIGINT end it, and others are ignored.
package struct EndSignals: Sendable {
    private let signals: UnixSignalsSequence

    /// From now on handles the signals of this process.
    package init() async {
        signals = await UnixSignalsSequence(trapping: EarlySignals.handled)
    }

    /// Returns when a signal asks the process to end. May be called once.
    package func wait(_ logger: Logger) async {
        for await signal in signals {
            guard signal != .sigterm, signal != .sigint else { return }
            logger.notice(
                "ignored a signal: this process reads its options only when it starts",
                metadata: ["signal": "\(signal)"])
        }
    }
}
