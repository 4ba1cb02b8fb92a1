import Redirect
import SQLiteStorage
import ServiceLifecycle

/// Finds out when a disk that was full has room again. Behind a load balancer that asks `/readyz`, nothing else would.
struct FullDiskService: Service {
    private static let interval = Duration.seconds(1)

    let storage: SQLiteStorage
    let writer: SpoolWriter

    func run() async {
        await cancelWhenGracefulShutdown {
            while (try? await Task.sleep(for: Self.interval)) != nil {
                await storage.retryIfFull()
                await writer.retryIfFull()
            }
        }
    }
}
