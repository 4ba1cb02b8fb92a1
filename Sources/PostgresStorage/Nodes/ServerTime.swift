import SQL
import SQLStorage

/// What a server says about time.
enum ServerTime {
    /// Asks for the time of its clock.
    static func ask(_ db: any SQLConnection, tell: (ToldTime) -> Void) throws {
        let began = ContinuousClock.now
        let microseconds = try db.statement("SELECT (extract(epoch FROM clock_timestamp()) * 1000000)::bigint")
            .first { $0.integer(0) }
        if let microseconds { tell(.server(nanoseconds: microseconds * 1000, askedAt: began)) }
    }

    /// Asks for the latest time at which any node wrote.
    static func askLatest(_ db: any SQLConnection, tell: (ToldTime) -> Void) throws {
        let began = ContinuousClock.now
        if let latest = try WriterLock.latest(db) { tell(.written(latest, askedAt: began)) }
    }
}
