package import Identifiers

extension Timestamp {
    /// 2026-11-22 12:00:00 UTC, a Sunday: the moment at which tests play.
    package static let noon = Timestamp(secondsSince1970: 1_795_348_800)

    package static func + (instant: Timestamp, milliseconds: Int64) -> Timestamp {
        instant.advanced(byMilliseconds: milliseconds)
    }

    package static func + (instant: Timestamp, duration: Duration) -> Timestamp { instant.advanced(by: duration) }
}
