import Redirect
import ServiceLifecycle

/// Runs the drain for as long as the service runs; what is left is drained after the listeners have closed.
struct DrainService: Service {
    let drain: Drain

    func run() async {
        await cancelWhenGracefulShutdown { await drain.run() }
    }
}
