import HTTPConnections
import Redirect

/// How the descriptors of the process are divided. No connection gets the reserve.
struct DescriptorShares: Equatable {
    /// For databases, checkpoints, backups, and what libraries open: libdispatch ends the process when it gets none.
    static let reserve = 256
    /// With fewer the service does not start.
    static let minimum = 512
    /// The most connections that the private listener has at once.
    static let usualPrivate = 2_000
    /// The most connections that the console has at once.
    static let usualConsole = 200

    let publicListener: Int
    let privateListener: Int
    let console: Int

    /// Whether fewer than half as many readers as usual can be connected at once.
    var isScarce: Bool { publicListener < ConnectionLimit.usual / 2 }

    /// - Parameter limit: how many descriptors the process may have.
    init(limit: Int) throws(TooFewDescriptors) {
        guard limit >= Self.minimum else { throw TooFewDescriptors(limit: limit) }
        let forConnections = limit - Self.reserve
        privateListener = min(Self.usualPrivate, forConnections / 4)
        console = min(Self.usualConsole, forConnections / 16)
        publicListener = min(ConnectionLimit.usual, forConnections - privateListener - console)
    }
}

/// The limit of open files is too low to serve any client.
struct TooFewDescriptors: Error, Equatable, CustomStringConvertible {
    let limit: Int

    var description: String {
        "the process may have \(limit) open files and needs \(DescriptorShares.minimum) at least: raise its limit (ulimit -n)"
    }
}
