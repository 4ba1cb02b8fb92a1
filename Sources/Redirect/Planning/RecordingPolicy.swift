package import Identifiers

/// Whether something that was done with a genuine tracking ID may be recorded. The one rule for links, for the image in
/// a mail, for reports of devices, and for what an inspection says about a link. A total function.
package struct RecordingPolicy: Equatable, Sendable {
    package enum Verdict: Equatable, Sendable {
        case record
        case skip(SkipReason)
    }

    /// Why nothing is recorded. The recipient does not notice.
    package enum SkipReason: String, Sendable, CaseIterable {
        case head
        case prefetch
        case privacyControl
        case expired
        case consentEnded
        /// The organization has stored as many interactions as it may.
        case quota
    }

    private let honorsGPC: Bool
    private let expires: Timestamp
    private let consentEnded: Bool
    private let isFull: Bool

    /// The facts that are known at the time of the request.
    ///
    /// - Parameters:
    ///   - honorsGPC: whether the organization honours Global Privacy Control.
    ///   - expires: nothing is recorded from this time on.
    ///   - consentEnded: whether the recipient's consent has ended by now.
    ///   - isFull: whether the organization may store no more interactions.
    package init(honorsGPC: Bool, expires: Timestamp, consentEnded: Bool, isFull: Bool) {
        self.honorsGPC = honorsGPC
        self.expires = expires
        self.consentEnded = consentEnded
        self.isFull = isFull
    }

    /// If several reasons apply, the first in the order of ``SkipReason`` counts.
    ///
    /// - Parameters:
    ///   - isHead: whether the request asks for the header alone.
    ///   - signals: what the request says about why it was made.
    package func verdict(isHead: Bool = false, signals: RequestSignals = RequestSignals(), at now: Timestamp) -> Verdict
    {
        if isHead { return .skip(.head) }
        if signals.isPrefetch { return .skip(.prefetch) }
        if signals.hasGlobalPrivacyControl && honorsGPC { return .skip(.privacyControl) }
        if expires <= now { return .skip(.expired) }
        if consentEnded { return .skip(.consentEnded) }
        if isFull { return .skip(.quota) }
        return .record
    }
}
