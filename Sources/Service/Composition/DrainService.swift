import Redirect
import ServiceLifecycle

/// Runs the drain while the service runs; the rest is drained after the listeners have closed.
struct DrainService: Service {
    let drain: Drain

    func run() async {
        await cancelWhenGracefulShutdown { await drain.run() }
    }
}
