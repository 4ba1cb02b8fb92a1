import Glibc
import Interactions

/// The meanings of the user agents that an event loop read lately. Many readers have the same one, and to compare it
/// takes a small part of the time that reading it takes.
///
/// Each user agent has one place. If two have the same place, the later one is kept. Belongs to its event loop.
final class RecentAgents {
    /// A power of two. All places take 16 KiB.
    private static let places = 64
    /// In bytes. A longer user agent, or a shorter one than a number that is hashed, is read each time.
    private static let lengths = 8...254

    private struct Kept {
        var length = 0
        var meaning = AgentMeaning.missing
    }

    // Memory of its own, because an access to an array in an object is checked for exclusivity.
    private let kept: UnsafeMutablePointer<Kept>
    private let texts: UnsafeMutablePointer<UInt8>

    init() {
        kept = .allocate(capacity: Self.places)
        kept.initialize(repeating: Kept(), count: Self.places)
        texts = .allocate(capacity: Self.places * Self.lengths.count)
        texts.initialize(repeating: 0, count: Self.places * Self.lengths.count)
    }

    deinit {
        kept.deallocate()
        texts.deallocate()
    }

    /// The same as `AgentMeaning(userAgent:)`.
    func meaning(of userAgent: Span<UInt8>) -> AgentMeaning {
        guard Self.lengths.contains(userAgent.count) else { return AgentMeaning(userAgent: userAgent) }
        return userAgent.withUnsafeBytes { bytes in
            guard let start = bytes.baseAddress else { return AgentMeaning(userAgent: userAgent) }
            let place = Self.place(of: bytes)
            let text = texts + place * Self.lengths.count
            if kept[place].length == bytes.count, memcmp(text, start, bytes.count) == 0 { return kept[place].meaning }
            kept[place] = Kept(length: bytes.count, meaning: AgentMeaning(userAgent: userAgent))
            memcpy(text, start, bytes.count)
            return kept[place].meaning
        }
    }

    /// User agents differ in their versions, which stand in the middle and at the end.
    private static func place(of bytes: UnsafeRawBufferPointer) -> Int {
        func number(at offset: Int) -> UInt64 { bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self) }
        let last = bytes.count - MemoryLayout<UInt64>.size
        var mixed = UInt64(bytes.count)
        for offset in [last / 4, last / 2, last * 3 / 4, last] {
            mixed = (mixed ^ number(at: offset)) &* 0x9E37_79B9_7F4A_7C15
        }
        return Int(truncatingIfNeeded: mixed >> 58)
    }
}
