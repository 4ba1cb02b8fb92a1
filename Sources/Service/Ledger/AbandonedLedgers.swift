import Identifiers
import Ledger
import ServiceLifecycle

/// Has ledgers signed to which another node has appended without signing: that node has ended, or cannot sign.
struct AbandonedLedgers: Service {
    /// A running node signs within a second or two.
    private static let interval = Duration.seconds(5)

    let ledgers: any CheckpointStore

    func run() async {
        await cancelWhenGracefulShutdown {
            var before: [OrganizationID: UInt64] = [:]
            while (try? await Task.sleep(for: Self.interval)) != nil {
                // While the storage cannot be asked, nothing grows.
                guard let unsigned = try? await ledgers.unsigned() else { continue }
                let abandoned = unsigned.filter { before[$0.key] == $0.value }
                if !abandoned.isEmpty { ledgers.noteGrown(Set(abandoned.keys)) }
                before = unsigned
            }
        }
    }
}
