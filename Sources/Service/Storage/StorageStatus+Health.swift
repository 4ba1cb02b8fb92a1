import StoragePorts
import UseCases

extension StorageStatus {
    /// Why the service is not ready; `nil` while its stores accept writes.
    var reasonNotReady: ReadinessReason? {
        switch self {
        case .working: nil
        case .full: .diskFull
        case .unreachable: .databaseUnreachable
        case .unsafe(let risk): .storageUnsafe(risk)
        case .unusable(let fault): .storageUnusable(fault)
        case .readOnly: .storageReadOnly
        case .failed(let fault): .storageFailed(fault)
        }
    }

    /// Whether a write may succeed.
    var takesWrites: Bool {
        switch self {
        case .working, .unsafe: true
        case .full, .unreachable, .unusable, .readOnly, .failed: false
        }
    }

    /// Why a crash may lose acknowledged data; `nil` if it cannot.
    var risk: String? {
        if case .unsafe(let risk) = self { risk.description } else { nil }
    }

    /// What an operator must repair before anything is written; `nil` if there is nothing.
    var fault: String? {
        if case .unusable(let fault) = self { fault } else { nil }
    }
}
