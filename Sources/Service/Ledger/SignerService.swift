import ServiceLifecycle
import UseCases

/// Signs after commits: at once if a ledger grew after a pause, and once a second while ledgers continue to grow.
struct SignerService: Service {
    private static let interval = Duration.seconds(1)

    let signer: CheckpointSigner

    func run() async {
        await cancelWhenGracefulShutdown {
            for await _ in signer.growth {
                while await !signer.signGrown() {
                    guard (try? await Task.sleep(for: Self.interval)) != nil else { return }
                }
                try? await Task.sleep(for: Self.interval)
            }
        }
    }
}
