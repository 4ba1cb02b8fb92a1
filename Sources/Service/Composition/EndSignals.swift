package import Logging
import UnixSignals

/// The signals of a process that has nothing to read anew: SIGTERM and SIGINT end it, and others do not.
package struct EndSignals: Sendable {
    private let signals: UnixSignalsSequence

    /// Takes the signals of this process from now on.
    package init() async {
        signals = await UnixSignalsSequence(trapping: EarlySignals.handled)
    }

    /// Returns when the process was asked to end. To be called once.
    package func wait(_ logger: Logger) async {
        for await signal in signals {
            guard signal != .sigterm, signal != .sigint else { return }
            logger.notice(
                "a signal is ignored; what this process was started with is read anew by a restart alone",
                metadata: ["signal": "\(signal)"])
        }
    }
}
