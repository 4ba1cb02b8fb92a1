package import Identifiers

/// A keyed digest of the 256 random bits that a browser has, 32 bytes: only this is stored.
package struct SessionDigest: Hashable, Sendable {
    package let bytes: [UInt8]
    package init(bytes: [UInt8]) { self.bytes = bytes }
}

/// One browser that is signed in to the console.
package struct ConsoleSession: Hashable, Sendable {
    /// A session that is not used for this long has ended.
    package static let idleTime = Duration.minutes(30)
    /// A session ends after this long, however much it is used.
    package static let maximumDuration = Duration.hours(12)
    /// How long a proof of identity is enough for an action that cannot be undone.
    static let confirmationTime = Duration.minutes(5)
    /// The greatest number of sessions of an account at the same time.
    package static let maximumCountOfAccount = 50

    package let digest: SessionDigest
    package let account: ConsoleAccount
    package let madeAt: Timestamp
    package var usedAt: Timestamp
    /// When the user last proved their identity.
    package var confirmedAt: Timestamp
    /// Shows that the service made the session, for this account. Empty until the session is sealed.
    package var seal: [UInt8]

    package init(
        digest: SessionDigest, account: ConsoleAccount, madeAt: Timestamp, usedAt: Timestamp? = nil,
        confirmedAt: Timestamp? = nil, seal: [UInt8] = []
    ) {
        self.digest = digest
        self.account = account
        self.madeAt = madeAt
        self.usedAt = usedAt ?? madeAt
        self.confirmedAt = confirmedAt ?? madeAt
        self.seal = seal
    }

    /// A session whose times are in the future has ended: the clock was ahead when they were stored, and the session
    /// must not last for as long as that.
    package func isLive(at now: Timestamp) -> Bool {
        madeAt.isPossible(at: now) && usedAt.isPossible(at: now) && now < usedAt.advanced(by: Self.idleTime)
            && now < madeAt.advanced(by: Self.maximumDuration)
    }

    /// Whether an action that cannot be undone is permitted without another proof of identity.
    package func isConfirmed(at now: Timestamp) -> Bool {
        confirmedAt.isPossible(at: now) && now < confirmedAt.advanced(by: Self.confirmationTime)
    }
}
