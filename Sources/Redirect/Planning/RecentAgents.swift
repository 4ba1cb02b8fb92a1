import Glibc
import Interactions

/// The meanings of the user agents that an event loop read lately. Many readers have the same one, and to compare it
/// takes a small part of the time that reading it takes.
///
/// Each user agent has one place. If two have the same place, the later one is kept. Belongs to its event loop.
final class RecentAgents {
    /// In bytes. A user agent of another length is read each time.
    private static let lengths = MemoryLayout<UInt64>.size...256

    private struct Kept {
        let text: [UInt8]
        let meaning: AgentMeaning
    }

    /// At most 20 KiB.
    private var places = [Kept?](repeating: nil, count: 64)

    /// The same as `AgentMeaning(userAgent:)`.
    func meaning(of userAgent: Span<UInt8>) -> AgentMeaning {
        guard Self.lengths.contains(userAgent.count) else { return AgentMeaning(userAgent: userAgent) }
        let place = Int(truncatingIfNeeded: Self.hash(userAgent.bytes) % UInt64(places.count))
        if let kept = places[place], userAgent.isSame(as: kept.text) { return kept.meaning }
        let kept = Kept(text: userAgent.withUnsafeBytes(Array.init), meaning: AgentMeaning(userAgent: userAgent))
        places[place] = kept
        return kept.meaning
    }

    /// Of a part of the bytes: user agents differ in their versions, which stand in the middle and at the end.
    private static func hash(_ bytes: RawSpan) -> UInt64 {
        let last = bytes.byteCount - MemoryLayout<UInt64>.size
        var mixed = UInt64(bytes.byteCount)
        for offset in [last / 4, last / 2, last * 3 / 4, last] {
            let number = bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: UInt64.self)
            mixed = (mixed ^ number) &* 0x9E37_79B9_7F4A_7C15
            mixed ^= mixed >> 32
        }
        return mixed
    }
}

extension Span<UInt8> {
    /// Whether this is `text`, byte for byte.
    fileprivate func isSame(as text: [UInt8]) -> Bool {
        count == text.count
            && withUnsafeBytes { bytes in
                text.withUnsafeBytes { text in
                    guard let one = bytes.baseAddress, let other = text.baseAddress else { return true }
                    return memcmp(one, other, bytes.count) == 0
                }
            }
    }
}
