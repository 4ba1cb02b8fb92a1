/// A ring that may have been put back to an earlier state, with what another holder knows since then.
package struct MergedKeyRing: Sendable {
    package let ring: KeyRing
    /// The ring that may have been put back.
    private let before: KeyRing
    private let known: KeyRing
    /// The ids of the keys that it had lacked.
    package let regained: [UInt8]
    /// The ids under which the rings have different keys: the other holder's key opens nothing any more.
    package let contradicted: [UInt8]
    /// The ids of the other holder's keys that may have been retired: its ring is of an earlier version. They open
    /// nothing any more.
    package let unaccounted: [UInt8]
    /// The ids of the keys that were in it again although they had been retired.
    package let retired: [UInt8]
    /// Whether its signing key had been retired.
    package let signsAgain: Bool

    init(
        ring: KeyRing, before: KeyRing, known: KeyRing, regained: [UInt8], contradicted: [UInt8], unaccounted: [UInt8],
        retired: [UInt8], signsAgain: Bool
    ) {
        self.ring = ring
        self.before = before
        self.known = known
        self.regained = regained
        self.contradicted = contradicted
        self.unaccounted = unaccounted
        self.retired = retired
        self.signsAgain = signsAgain
    }

    /// Whether it differs from the ring that may have been put back.
    package var isChanged: Bool { !regained.isEmpty || !retired.isEmpty || ring.retired != before.retired }

    /// The rings with keys that ``ring`` lacks, though no holder retired them after it had the present ring.
    package var dropped: [KeyRing] {
        (contradicted.isEmpty && unaccounted.isEmpty ? [] : [known]) + (retired.isEmpty ? [] : [before])
    }
}
