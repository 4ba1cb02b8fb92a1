import Cryptography
import Identifiers
import Synchronization

/// What each form carries to show that the console gave it to this browser, for this address, a short while ago, and that
/// it was not sent before.
///
///     8 bytes time, 16 bytes random, 32 bytes HMAC-SHA-256 over both and the address, under a secret of the browser
///
/// Forms that were sent are remembered by this process alone, up to a number that people do not reach within a lifetime.
/// Whoever has a form of another browser lacks its cookie; this is for a form that is sent twice.
final class FormTokens: Sendable {
    enum Verdict: Hashable, Sendable {
        case fresh
        case missing
        case wrong
        case expired
        case sentBefore
    }

    /// For how long a form can be sent, in milliseconds.
    static let lifetime: Int64 = 30 * 60_000
    /// So many are remembered for a whole lifetime. Beyond it, the oldest are forgotten earlier.
    private static let mostRemembered = 50_000
    private static let timeLength = 8
    private static let headLength = 24
    private static let length = 56

    private struct Sent {
        var current: Set<[UInt8]> = []
        var former: Set<[UInt8]> = []
        var turnedAt = Timestamp.distantPast
    }

    /// Guards the forms that were sent within the last lifetime, and some older ones.
    private let sent = Mutex(Sent())

    /// - Parameter holder: what the browser holds.
    func make(
        for path: String, holder: SessionToken, at now: Timestamp, using generator: inout some RandomNumberGenerator
    ) throws(CryptographyError) -> String {
        var bytes = Self.bytes(of: now.millisecondsSince1970)
        for _ in Self.timeLength..<Self.headLength {
            bytes.append(UInt8.random(in: .min ... .max, using: &generator))
        }
        return Base64URL.encode(bytes + (try Self.tag(of: bytes, path, holder)))
    }

    /// Looks at the token of a form that was sent. A fresh one is used up by it.
    func take(_ text: String?, for path: String, holder: SessionToken, at now: Timestamp) -> Verdict {
        guard let text else { return .missing }
        guard let bytes = try? Base64URL.decode(text), bytes.count == Self.length else { return .wrong }
        let head = Array(bytes.prefix(Self.headLength))
        guard let tag = try? Self.tag(of: head, path, holder),
            constantTimeEqual(tag, Array(bytes.dropFirst(Self.headLength)))
        else { return .wrong }
        let made = head.prefix(Self.timeLength).reduce(Int64(0)) { $0 << 8 | Int64($1) }
        let age = now.millisecondsSince1970 - made
        guard age < Self.lifetime else { return .expired }
        return sent.withLock { sent in
            let isFull = sent.current.count >= Self.mostRemembered
            if isFull || now >= sent.turnedAt.advanced(byMilliseconds: Self.lifetime) {
                (sent.former, sent.current, sent.turnedAt) = (sent.current, [], now)
            }
            guard !sent.former.contains(head) else { return .sentBefore }
            return sent.current.insert(head).inserted ? .fresh : .sentBefore
        }
    }

    private static func tag(of head: [UInt8], _ path: String, _ holder: SessionToken) throws(CryptographyError) -> [UInt8] {
        let tag = try HMACSHA256(key: holder.secret(for: "form")).tag(of: (head + Array(path.utf8)).span)
        return (0..<HMACSHA256.tagLength).map { tag[$0] }
    }

    private static func bytes(of number: Int64) -> [UInt8] {
        stride(from: 56, through: 0, by: -8).map { UInt8(truncatingIfNeeded: number >> Int64($0)) }
    }
}
