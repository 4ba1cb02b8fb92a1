import Identifiers
import OpenIDConnect

/// The time of a proof of identity at the provider.
enum ProofTime {
    /// Converts the provider's time to service time.
    ///
    /// The provider's clock agrees with the wall clock. Service time may be ahead of both, so the age of the proof by the
    /// wall clock is taken from service time.
    ///
    /// - Parameters:
    ///   - wall: the wall clock, read when service time was `now` or later.
    ///   - now: service time.
    /// - Returns: no time after `now`.
    static func serviceTime(of authenticated: UnixTime, wall: Timestamp, now: Timestamp) -> Timestamp {
        let (milliseconds, overflow) = authenticated.seconds.multipliedReportingOverflow(by: 1000)
        guard !overflow else { return .distantPast }
        let age = Duration.milliseconds(wall.millisecondsSince1970) - .milliseconds(milliseconds)
        return now - max(age, .zero)
    }
}
