package import Identifiers

/// SHA-256 of the 256 random bits that a browser holds, 32 bytes: all that is kept of them.
package struct SessionDigest: Hashable, Sendable {
    package let bytes: [UInt8]
    package init(bytes: [UInt8]) { self.bytes = bytes }
}

/// One browser that is signed in to the console.
package struct ConsoleSession: Hashable, Sendable {
    /// A session that is not used for this long has ended.
    package static let idleTime = Duration.seconds(30 * 60)
    /// A session ends after this long, however much it is used.
    package static let longestTime = Duration.seconds(12 * 3600)
    /// How long a proof of who somebody is suffices for what cannot be undone.
    static let confirmationTime = Duration.seconds(5 * 60)
    /// So many sessions an account has at once.
    package static let mostOfAccount = 50

    package let digest: SessionDigest
    package let account: ConsoleAccount
    package let madeAt: Timestamp
    package var usedAt: Timestamp
    /// When they last proved who they are.
    package var confirmedAt: Timestamp

    package init(
        digest: SessionDigest, account: ConsoleAccount, madeAt: Timestamp, usedAt: Timestamp? = nil,
        confirmedAt: Timestamp? = nil
    ) {
        self.digest = digest
        self.account = account
        self.madeAt = madeAt
        self.usedAt = usedAt ?? madeAt
        self.confirmedAt = confirmedAt ?? madeAt
    }

    /// A clock that went back ends no session, and makes none longer than it would have been.
    package func isLive(at now: Timestamp) -> Bool {
        now < usedAt.advanced(by: Self.idleTime)
            && now < madeAt.advanced(by: Self.longestTime)
    }

    /// Whether what cannot be undone may be done without proving again who they are.
    package func isConfirmed(at now: Timestamp) -> Bool {
        now < confirmedAt.advanced(by: Self.confirmationTime)
    }
}
