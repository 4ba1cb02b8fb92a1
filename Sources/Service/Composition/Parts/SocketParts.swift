import Foundation
import Glibc
import Logging
import Redirect

/// The sockets of the process: those it listens on, and how many connections each listener may have.
struct SocketParts {
    let links: ListeningSocket
    let api: ListeningSocket
    let linkLimit: ConnectionLimit
    let apiLimit: ConnectionLimit

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
        linkLimit = ConnectionLimit(shares.links)
        apiLimit = ConnectionLimit(shares.api)
        if shares.isScarce {
            logger.warning(
                "the limit of open files leaves room for few readers at once: raise it (LimitNOFILE=, ulimit -n)",
                metadata: ["connections": "\(shares.links)", "usual": "\(ConnectionLimit.usual)"])
        }
    }

    /// No connection comes any more.
    func close() {
        links.close()
        api.close()
    }

    /// Keeps both open for the process image that follows.
    /// - Returns: what ``InheritedSockets/variable`` must say there.
    func handOver() -> String {
        [("public", links.handOver()), ("private", api.handOver())]
            .compactMap { name, descriptor in descriptor.map { "\(name)=\($0)" } }
            .joined(separator: ":")
    }
}
