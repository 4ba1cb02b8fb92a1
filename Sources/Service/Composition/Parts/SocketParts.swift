import Foundation
import Logging
import Redirect

/// The sockets of the process: those it listens on, and how many connections each listener may have.
struct SocketParts {
    let inherited: InheritedSockets
    let links: ListenAddress
    let api: ListenAddress
    let linkLimit: ConnectionLimit
    let apiLimit: ConnectionLimit

    /// - Throws: when an address cannot be listened on, or the process may open too few files.
    init(settings: ServiceSettings, logger: Logger) throws {
        let shares = try DescriptorShares(limit: FileDescriptors.raise())
        inherited = InheritedSockets(environment: ProcessInfo.processInfo.environment)
        links = settings.listen
        api = settings.apiListen
        if inherited.links == nil { try links.check("listen") }
        if inherited.api == nil { try api.check("api-listen") }
        linkLimit = ConnectionLimit(shares.links)
        apiLimit = ConnectionLimit(shares.api)
        if shares.isScarce {
            logger.warning(
                "the limit of open files leaves room for few readers at once: raise it (LimitNOFILE=, ulimit -n)",
                metadata: ["connections": "\(shares.links)", "usual": "\(ConnectionLimit.usual)"])
        }
    }
}
