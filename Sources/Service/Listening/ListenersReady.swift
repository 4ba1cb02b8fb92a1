import NIOCore
import Synchronization

/// Calls back once when the public and the private listener are both bound, and the console's if there is one.
final class ListenersReady: Sendable {
    enum Listener: Hashable {
        case publicListener
        case privateListener
        case console
    }

    /// The addresses of the listeners.
    typealias Addresses = (publicListener: ListenAddress, privateListener: ListenAddress, console: ListenAddress?)

    /// Guards the listeners that are bound so far.
    private let open = Mutex<[Listener: ListenAddress]>([:])
    private let hasConsole: Bool
    private let onReady: @Sendable (Addresses) -> Void

    init(hasConsole: Bool, _ onReady: @escaping @Sendable (Addresses) -> Void) {
        self.hasConsole = hasConsole
        self.onReady = onReady
    }

    func didOpen(_ listener: Listener, _ channel: any Channel) {
        guard let address = channel.localAddress, let host = address.ipAddress, let port = address.port else { return }
        let all: Addresses? = open.withLock { open in
            open[listener] = ListenAddress(host: host, port: port)
            guard let publicListener = open[.publicListener], let privateListener = open[.privateListener],
                open[.console] != nil || !hasConsole
            else {
                return nil
            }
            return (publicListener, privateListener, open[.console])
        }
        if let all { onReady(all) }
    }
}
