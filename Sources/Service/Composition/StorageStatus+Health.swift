import Organizations

extension StorageStatus {
    /// Why the service is not ready; `nil` while its stores can be written.
    var reasonNotReady: String? {
        switch self {
        case .working: nil
        case .full: "the disk is full"
        case .unreachable: "the database cannot be reached"
        case .unsafe(let why), .unusable(let why): why
        case .readOnly: "the storage takes no writes while it is moved to another one"
        case .failed(let fault): "the store has failed and takes nothing more until a restart: \(fault)"
        }
    }

    /// Whether a write may succeed.
    var takesWrites: Bool {
        switch self {
        case .working, .unsafe: true
        case .full, .unreachable, .unusable, .readOnly, .failed: false
        }
    }

    /// Why a crash may lose what is acknowledged; `nil` where it cannot.
    var danger: String? {
        if case .unsafe(let why) = self { why } else { nil }
    }
}
