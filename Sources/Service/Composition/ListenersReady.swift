import NIOCore
import Synchronization

/// Tells once when the public and the private listener are both bound.
final class ListenersReady: Sendable {
    enum Door: Hashable {
        case links
        case api
    }

    /// Guards which doors are open by now.
    private let open = Mutex<[Door: ListenAddress]>([:])
    private let onReady: @Sendable (ListenAddress, ListenAddress) -> Void

    init(_ onReady: @escaping @Sendable (ListenAddress, ListenAddress) -> Void) { self.onReady = onReady }

    func open(_ door: Door, _ channel: any Channel) {
        guard let address = channel.localAddress, let host = address.ipAddress, let port = address.port else { return }
        let both: (ListenAddress, ListenAddress)? = open.withLock { open in
            open[door] = ListenAddress(host: host, port: port)
            guard let links = open[.links], let api = open[.api] else { return nil }
            return (links, api)
        }
        if let both { onReady(both.0, both.1) }
    }
}
