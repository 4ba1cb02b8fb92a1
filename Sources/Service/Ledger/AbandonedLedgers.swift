import Identifiers
import Ledger
import Logging
import ServiceLifecycle

/// Makes this node sign ledgers to which another node has appended without signing, because that node has ended or
/// cannot sign.
struct AbandonedLedgers: Service {
    /// A running node signs within a second or two.
    private static let interval = Duration.seconds(5)

    let ledgers: any CheckpointStore
    let logger: Logger

    func run() async {
        await cancelWhenGracefulShutdown {
            var before: [OrganizationID: UInt64] = [:]
            var step = RepeatedStep(failure: "the unsigned ledgers cannot be read", logger: logger)
            while (try? await Task.sleep(for: Self.interval)) != nil {
                // While the storage cannot be asked, nothing grows.
                guard let unsigned = await step.run({ try await ledgers.unsigned() }) else { continue }
                let abandoned = unsigned.filter { before[$0.key] == $0.value }
                if !abandoned.isEmpty { ledgers.addGrown(Set(abandoned.keys)) }
                before = unsigned
            }
        }
    }
}
