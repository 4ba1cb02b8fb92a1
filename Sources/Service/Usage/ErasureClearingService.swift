import Logging
import ServiceLifecycle
import UseCases

/// Clears the files that an erasure could not clear, as soon as no reader of an older state prevents it.
struct ErasureClearingService: Service {
    let recording: ConsentRecording
    let logger: Logger
    /// The time between two attempts. Each blocks the writer of the embedded store for at most 250 milliseconds.
    var interval = Duration.seconds(10)

    func run() async {
        await cancelWhenGracefulShutdown {
            while (try? await Task.sleep(for: interval)) != nil {
                // A store that cannot be cleared yet is tried again; the metric says so meanwhile.
                guard (try? await recording.clearErased()) == true else { continue }
                logger.notice("the files are cleared of the data of erased recipients")
            }
        }
    }
}
