import NIOCore

/// How many threads the process needs. With fewer, libraries end it without a message, or wait for a thread forever.
package struct ThreadNeed: Equatable, Sendable {
    /// For the queues of databases, spool and log, and what libraries start. A busy service used 10.
    static let reserve = 32
    /// Pools with a thread for each core: Swift's, SwiftNIO's for files, and that for large requests.
    private static let pools = 3

    let threads: Int
    private let eventLoops: Int

    /// - Parameter eventLoops: `nil` for one for each core.
    package init(eventLoops: Int?) { self.init(eventLoops: eventLoops, cores: System.coreCount) }

    init(eventLoops: Int?, cores: Int) {
        self.eventLoops = eventLoops ?? cores
        threads = self.eventLoops + Self.pools * max(2, cores) + Self.reserve
    }

    /// Checks that the process can have them, those that it has included. They end again.
    package func require() throws(TooFewThreads) {
        let running = ThreadTrial.running
        let possible = running + ThreadTrial.given(of: threads - running)
        guard possible >= threads else {
            throw TooFewThreads(possible: possible, needed: threads, eventLoops: eventLoops)
        }
    }
}

/// The limit of threads, or of memory for their stacks, is too low.
package struct TooFewThreads: Error, Equatable, CustomStringConvertible {
    let possible: Int
    let needed: Int
    let eventLoops: Int

    package var description: String {
        """
        the process can have \(possible) threads and needs \(needed) at least: raise the limit of threads (TasksMax=, \
        --pids-limit, ulimit -u) or of memory (ulimit -v)\(eventLoops > 1 ? ", or lower the setting threads" : "")
        """
    }
}
