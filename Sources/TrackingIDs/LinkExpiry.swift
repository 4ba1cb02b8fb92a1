package import Identifiers

/// The second from which a link still redirects and no longer records: from 1970 to 2106-02-07.
///
/// It is readable in the link, so it must be the same for all recipients of the message. A limit of one recipient, such
/// as the end of their consent, would distinguish recipients.
package struct LinkExpiry: Hashable, Comparable, Sendable {
    /// The latest that a link can carry.
    package static let latest = LinkExpiry(secondsSince1970: .max)

    package let secondsSince1970: UInt32

    package init(secondsSince1970: UInt32) { self.secondsSince1970 = secondsSince1970 }

    /// The expiry of a message's links.
    ///
    /// - Parameters:
    ///   - messageExpiresAt: the message's own limit, rounded down to a whole second, so that nothing is recorded
    ///     from it on.
    ///   - composedAt: for a message without a limit, this time plus the lifetime is the limit; the sum is rounded up
    ///     to a whole day in UTC, so that a link does not show the time of day when it was made.
    ///   - lifetimeInDays: zero or more.
    /// - Throws: ``TrackingIDError/expiryOutOfRange`` before 1970 and after 2106-02-07T06:28:15.999Z.
    package init(
        messageExpiresAt: Timestamp?,
        composedAt: Timestamp,
        lifetimeInDays: Int
    ) throws(TrackingIDError) {
        let seconds: Int64
        if let messageExpiresAt {
            seconds = messageExpiresAt.millisecondsSince1970.dividedRoundingDown(by: 1000)
        } else {
            let (lifetime, tooLong) = Int64(lifetimeInDays).multipliedReportingOverflow(
                by: Timestamp.millisecondsPerDay)
            let (end, tooLate) = composedAt.millisecondsSince1970.addingReportingOverflow(lifetime)
            guard lifetimeInDays >= 0, !tooLong, !tooLate else { throw .expiryOutOfRange }
            seconds = end.dividedRoundingUp(by: Timestamp.millisecondsPerDay) * (Timestamp.millisecondsPerDay / 1000)
        }
        guard let secondsSince1970 = UInt32(exactly: seconds) else { throw .expiryOutOfRange }
        self.secondsSince1970 = secondsSince1970
    }

    package static func < (one: Self, other: Self) -> Bool { one.secondsSince1970 < other.secondsSince1970 }

    package var timestamp: Timestamp { Timestamp(secondsSince1970: Int64(secondsSince1970)) }

    package func hasPassed(at now: Timestamp) -> Bool { now >= timestamp }
}

extension Int64 {
    fileprivate func dividedRoundingUp(by divisor: Int64) -> Int64 {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder > 0 ? quotient + 1 : quotient
    }

    fileprivate func dividedRoundingDown(by divisor: Int64) -> Int64 {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? quotient - 1 : quotient
    }
}
