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

    /// - Throws: when an address cannot be listened on, or the process may open too few files.
    init(settings: ServiceSettings, logger: Logger) throws {
        let shares = try DescriptorShares(limit: FileDescriptors.raise())
        let inherited = InheritedSockets(environment: ProcessInfo.processInfo.environment)
        unsetenv(InheritedSockets.variable)
        links =
            try inherited.links.map(ListeningSocket.init(inherited:))
            ?? ListeningSocket(settings.listen, setting: "listen")
        api =
            try inherited.api.map(ListeningSocket.init(inherited:))
            ?? ListeningSocket(settings.apiListen, setting: "api-listen")
        console = try inherited.console.map(ListeningSocket.init(inherited:)) ?? Self.console(settings, logger)
        linkLimit = ConnectionLimit(shares.links)
        apiLimit = ConnectionLimit(shares.api)
        consoleLimit = ConnectionLimit(shares.console)
        if shares.isScarce {
            logger.warning(
                "the limit of open files leaves room for few readers at once: raise it (LimitNOFILE=, ulimit -n)",
                metadata: ["connections": "\(shares.links)", "usual": "\(ConnectionLimit.usual)"])
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
                "there is no console: its address is in use; set console-listen",
                metadata: ["console-listen": "\(address)"])
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
