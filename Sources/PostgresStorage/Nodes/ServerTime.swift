import SQL

/// The time of a server.
enum ServerTime {
    /// - Parameter tell: is called with the time in nanoseconds since 1970, and how long the query took.
    static func ask(_ db: any SQLConnection, tell: (Int64, Duration) -> Void) throws {
        let clock = ContinuousClock()
        let began = clock.now
        let microseconds = try db.statement("SELECT (extract(epoch FROM clock_timestamp()) * 1000000)::bigint")
            .first { $0.integer(0) }
        if let microseconds { tell(microseconds * 1000, clock.now - began) }
    }
}
