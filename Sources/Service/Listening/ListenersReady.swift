import NIOCore
import Synchronization

/// Calls back once when the public and the private listener are both bound, and the console's if there is one.
final class ListenersReady: Sendable {
    enum Door: Hashable {
        case links
        case api
        case console
    }

    /// The addresses of the listeners.
    typealias Addresses = (links: ListenAddress, api: ListenAddress, console: ListenAddress?)

    /// Guards the listeners that are bound so far.
    private let open = Mutex<[Door: ListenAddress]>([:])
    private let hasConsole: Bool
    private let onReady: @Sendable (Addresses) -> Void

    init(hasConsole: Bool, _ onReady: @escaping @Sendable (Addresses) -> Void) {
        self.hasConsole = hasConsole
        self.onReady = onReady
    }

    func open(_ door: Door, _ channel: any Channel) {
        guard let address = channel.localAddress, let host = address.ipAddress, let port = address.port else { return }
        let all: Addresses? = open.withLock { open in
            open[door] = ListenAddress(host: host, port: port)
            guard let links = open[.links], let api = open[.api], open[.console] != nil || !hasConsole else {
                return nil
            }
            return (links, api, open[.console])
        }
        if let all { onReady(all) }
    }
}
