import ServiceLifecycle
import UseCases

/// Stores once a minute, and at the end, when keys were last used.
struct KeyUseService: Service {
    let uses: KeyUses
    var interval = Duration.seconds(60)

    func run() async {
        await cancelWhenGracefulShutdown {
            while (try? await Task.sleep(for: interval)) != nil { await uses.write() }
        }
        await uses.write()
    }
}
