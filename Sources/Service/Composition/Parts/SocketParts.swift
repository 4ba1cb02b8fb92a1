import Foundation
import Glibc
import HTTPConnections
import LocalFiles
import Logging
import Redirect

/// The listening sockets of the process, and how many connections each listener may have.
struct SocketParts {
    let publicListener: ListeningSocket
    let privateListener: ListeningSocket
    /// `nil` where there is no console.
    let console: ListeningSocket?
    let publicLimit: ConnectionLimit
    let privateLimit: ConnectionLimit
    let consoleLimit: ConnectionLimit

    /// Sockets that were open before stay open if their addresses match the settings. Others are closed first, so that
    /// a listener can use an address that another one had.
    ///
    /// - Throws: if an address cannot be listened on, or the process may open too few files; ``PassedSocketError``;
    ///   ``SurplusSocketError``;
    ///   ``SettingError`` if two listeners have the same address.
    init(settings: ServiceSettings, logger: Logger) throws {
        let shares = try DescriptorShares(limit: FileDescriptors.raise())
        let inherited = InheritedSockets(environment: ProcessInfo.processInfo.environment)
        if let name = inherited.surplus.first { throw SurplusSocketError(name: name) }
        unsetenv(InheritedSockets.variable)
        let kept = (
            publicListener: try Self.kept(inherited.socket(inherited.publicListener), settings.listen, "listen"),
            privateListener: try Self.kept(
                inherited.socket(inherited.privateListener), settings.apiListen, "api-listen"),
            console: try Self.kept(inherited.socket(inherited.console), settings.consoleListen, "console-listen")
        )
        publicListener = try kept.publicListener ?? ListeningSocket(settings.listen, setting: "listen")
        privateListener = try kept.privateListener ?? ListeningSocket(settings.apiListen, setting: "api-listen")
        console = try kept.console ?? Self.console(settings, beside: [publicListener, privateListener], logger)
        try Self.requireApart([publicListener, privateListener, console].map { $0?.bound.map { [$0] } ?? [] })
        publicLimit = ConnectionLimit(shares.publicListener)
        privateLimit = ConnectionLimit(shares.privateListener)
        consoleLimit = ConnectionLimit(shares.console)
        if shares.isScarce {
            logger.warning(
                "the limit of open files leaves room for few readers at once: raise it (LimitNOFILE=, ulimit -n)",
                metadata: ["connections": "\(shares.publicListener)", "usual": "\(ConnectionLimit.usual)"])
        }
    }

    /// - Returns: `nil` if it has another address; then it is closed.
    private static func kept(
        _ socket: ListeningSocket?, _ address: ListenAddress?, _ setting: String
    ) throws(PassedSocketError) -> ListeningSocket? {
        guard let socket else { return nil }
        guard try socket.meets(address, setting: setting) else {
            socket.close()
            return nil
        }
        return socket
    }

    /// Checks whether a start with these settings would get its sockets from this process.
    ///
    /// - Throws: ``PassedSocketError``, ``ListenError`` or ``SettingError`` if it would not.
    func check(_ settings: ServiceSettings) throws {
        var listeners: [(socket: ListeningSocket?, address: ListenAddress?, setting: String)] = [
            (publicListener, settings.listen, "listen"), (privateListener, settings.apiListen, "api-listen"),
        ]
        // A console whose address the operator did not set may be missing.
        if settings.isConsoleChosen { listeners.append((console, settings.consoleListen, "console-listen")) }
        let isKept = try listeners.map { try $0.socket?.meets($0.address, setting: $0.setting) ?? false }
        // A socket that stays blocks its address for others; one that goes is closed before.
        let leaving = Set(zip(listeners, isKept).compactMap { $1 ? nil : $0.socket?.bound?.port })
        try Self.requireApart(
            zip(listeners, isKept).map { listener, isKept in
                isKept ? listener.socket?.bound.map { [$0] } ?? [] : listener.address?.numbers ?? []
            })
        for (listener, isKept) in zip(listeners, isKept) where !isKept {
            guard let address = listener.address else { continue }
            do {
                try ListeningSocket(address, setting: listener.setting).close()
            } catch let error as ListenError {
                guard error.isInUse, leaving.contains(address.port) else { throw error }
            }
        }
    }

    /// Two sockets can be bound to the same address until one of them listens.
    ///
    /// - Parameter addresses: the addresses of the public listener, the private one and the console, with numeric
    ///   hosts; empty for one that has none.
    /// - Throws: ``SettingError`` for the first that has the same address as another one.
    private static func requireApart(_ addresses: [Set<ListenAddress>]) throws(SettingError) {
        let settings = ["listen", "api-listen", "console-listen"]
        for (place, own) in addresses.enumerated() {
            let others = addresses[..<place].joined()
            guard own.contains(where: { address in others.contains { $0.overlaps(address) } }) else { continue }
            throw SettingError(
                name: settings[place],
                expected: "must be another address than \(settings[..<place].joined(separator: " and "))")
        }
    }

    /// The console's socket. If the operator set no address for it and another program or listener has the usual one,
    /// such as a second service on this machine, the service starts without it. The address is taken at once, so that
    /// of two services which start together one has the console, and the other one knows it.
    private static func console(
        _ settings: ServiceSettings, beside others: [ListeningSocket], _ logger: Logger
    ) throws -> ListeningSocket? {
        guard let address = settings.consoleListen else { return nil }
        do {
            guard settings.isConsoleChosen || !others.contains(where: { $0.bound?.overlaps(address) ?? false }) else {
                throw ListenError(address: address, setting: "console-listen", reason: .inUse)
            }
            let socket = try ListeningSocket(address, setting: "console-listen")
            try socket.take()
            return socket
        } catch {
            guard !settings.isConsoleChosen else { throw error }
            logger.warning(
                "the service starts without a console: it cannot listen at its address; set console-listen to another one",
                metadata: ["console-listen": "\(address)", "reason": "\(error)"])
            return nil
        }
    }

    /// No more connections can arrive.
    func close() {
        publicListener.close()
        privateListener.close()
        console?.close()
    }

    /// Keeps the sockets open for the next process image.
    /// - Returns: the value of ``InheritedSockets/variable`` for it.
    func handOver() -> String {
        [
            ("public", publicListener.handOver()), ("private", privateListener.handOver()),
            ("console", console?.handOver()),
        ]
        .compactMap { name, descriptor in descriptor.map { "\(name)=\($0)" } }
        .joined(separator: ":")
    }
}
