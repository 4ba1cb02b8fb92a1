import ServiceLifecycle
import UseCases

/// Wakes the requests that wait for more of a feed. When the service is stopping, they are answered at once.
struct FeedWatchService: Service {
    let watch: FeedWatch

    func run() async {
        await cancelWhenGracefulShutdown { await watch.run() }
    }
}
