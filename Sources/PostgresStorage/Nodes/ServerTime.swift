import SQL
import SQLStorage

/// The time of a server.
enum ServerTime {
    static func ask(_ db: any SQLConnection, tell: (ToldTime) -> Void) throws {
        let began = ContinuousClock.now
        let microseconds = try db.statement("SELECT (extract(epoch FROM clock_timestamp()) * 1000000)::bigint")
            .first { $0.integer(0) }
        if let microseconds { tell(.server(nanoseconds: microseconds * 1000, askedAt: began)) }
    }
}
