import Foundation
import Glibc
import Logging
import Redirect

/// The sockets of the process: those it listens on, and how many connections each listener may have.
struct SocketParts {
    let links: ListeningSocket
    let api: ListeningSocket
    /// `nil` where there is no console.
    let console: ListeningSocket?
    let linkLimit: ConnectionLimit
    let apiLimit: ConnectionLimit
    let consoleLimit: ConnectionLimit

    /// Sockets that were open before stay so where they are as the settings say. Others are closed first, so that a
    /// listener can have an address that another one had.
    ///
    /// - Throws: when an address cannot be listened on, or the process may open too few files; ``PassedSocketError``.
    init(settings: ServiceSettings, logger: Logger) throws {
        let shares = try DescriptorShares(limit: FileDescriptors.raise())
        let inherited = InheritedSockets(environment: ProcessInfo.processInfo.environment)
        unsetenv(InheritedSockets.variable)
        let kept = (
            links: try Self.kept(inherited.socket(inherited.links), settings.listen, "listen"),
            api: try Self.kept(inherited.socket(inherited.api), settings.apiListen, "api-listen"),
            console: try Self.kept(inherited.socket(inherited.console), settings.consoleListen, "console-listen")
        )
        links = try kept.links ?? ListeningSocket(settings.listen, setting: "listen")
        api = try kept.api ?? ListeningSocket(settings.apiListen, setting: "api-listen")
        console = try kept.console ?? Self.console(settings, logger)
        linkLimit = ConnectionLimit(shares.links)
        apiLimit = ConnectionLimit(shares.api)
        consoleLimit = ConnectionLimit(shares.console)
        if shares.isScarce {
            logger.warning(
                "the limit of open files leaves room for few readers at once: raise it (LimitNOFILE=, ulimit -n)",
                metadata: ["connections": "\(shares.links)", "usual": "\(ConnectionLimit.usual)"])
        }
    }

    /// - Returns: `nil` for one that is somewhere else, which is closed then.
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

    /// Looks whether a start with these settings would get its sockets from this one.
    ///
    /// - Throws: ``PassedSocketError`` or ``ListenError`` when it would not.
    func check(_ settings: ServiceSettings) throws {
        let isConsoleChosen = settings.sources["console-listen"] ?? .standard != .standard
        let own = Set([links, api, console].compactMap { $0?.bound?.port })
        let doors: [(ListeningSocket?, ListenAddress?, String)] = [
            (links, settings.listen, "listen"), (api, settings.apiListen, "api-listen"),
            (console, settings.consoleListen, "console-listen"),
        ]
        for (socket, address, setting) in doors {
            if let socket, try socket.meets(address, setting: setting) { continue }
            // A console that nobody chose may be missing.
            guard let address, setting != "console-listen" || isConsoleChosen else { continue }
            do {
                try ListeningSocket(address, setting: setting).close()
            } catch let error as ListenError {
                // A socket of this process that is in the way is closed before.
                guard error.isInUse, own.contains(address.port) else { throw error }
            }
        }
    }

    /// The console's socket. Where nobody chose an address for it, another program that has it, such as a second service on
    /// this machine, is no reason not to start.
    private static func console(_ settings: ServiceSettings, _ logger: Logger) throws -> ListeningSocket? {
        guard let address = settings.consoleListen else { return nil }
        do {
            return try ListeningSocket(address, setting: "console-listen")
        } catch {
            guard settings.sources["console-listen"] ?? .standard == .standard else { throw error }
            logger.warning(
                "the service starts without a console: it cannot listen at its address; set console-listen to another one",
                metadata: ["console-listen": "\(address)", "reason": "\(error)"])
            return nil
        }
    }

    /// No connection comes any more.
    func close() {
        links.close()
        api.close()
        console?.close()
    }

    /// Keeps both open for the process image that follows.
    /// - Returns: what ``InheritedSockets/variable`` must say there.
    func handOver() -> String {
        [("public", links.handOver()), ("private", api.handOver()), ("console", console?.handOver())]
            .compactMap { name, descriptor in descriptor.map { "\(name)=\($0)" } }
            .joined(separator: ":")
    }
}
