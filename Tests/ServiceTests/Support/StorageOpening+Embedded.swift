import Cryptography
import Identifiers
import Logging
import StorageContracts
import TestSupport

@testable import Service

extension StorageOpening {
    /// Of an embedded store, at noon.
    static func embedded(erasureKey: SecretBytes) -> StorageOpening {
        var generator = SystemRandomNumberGenerator()
        return StorageOpening(
            choice: .embedded, id: FolderID(using: &generator), node: nil, isNew: true, erasureKey: erasureKey,
            ledgerHost: "links.example", observer: RecordingObserver(), clock: { .noon },
            noteTime: { _ in }, logger: Logger(label: "test"))
    }
}
