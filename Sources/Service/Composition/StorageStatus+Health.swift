import Organizations

extension StorageStatus {
    /// Why the service is not ready; `nil` while its stores can be written.
    var reasonNotReady: String? {
        switch self {
        case .working: nil
        case .full: "the disk is full"
        case .unreachable: "the database cannot be reached"
        case .readOnly: "the storage takes no writes while it is moved to another one"
        case .failed(let fault): "the store has failed and takes nothing more until a restart: \(fault)"
        }
    }
}
