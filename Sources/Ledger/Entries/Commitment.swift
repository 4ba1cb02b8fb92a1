import Cryptography

/// Replaces the private fields in an entry: their HMAC-SHA-256 under the entry's salt.
///
/// It can be checked with the salt and the fields. Without the salt it reveals nothing, even to a reader who guesses
/// the fields.
package struct Commitment: Sendable {
    static let length = 32

    package let bytes: InlineArray<32, UInt8>

    package init(_ bytes: InlineArray<32, UInt8>) { self.bytes = bytes }

    /// - Returns: `nil` unless there are 32 bytes.
    package init?(_ bytes: Span<UInt8>) {
        guard bytes.count == Self.length else { return nil }
        self.bytes = InlineArray { bytes[$0] }
    }
}

extension Commitment: Equatable {
    package static func == (one: Commitment, other: Commitment) -> Bool {
        one.bytes.indices.allSatisfy { one.bytes[$0] == other.bytes[$0] }
    }
}

/// 16 random bytes that belong to one entry. Once they are forgotten, the entry reveals nothing about any recipient.
package struct Salt: Sendable {
    static let length = 16

    package let bytes: InlineArray<16, UInt8>

    package init(using generator: inout some RandomNumberGenerator) {
        let (high, low) = (generator.next() as UInt64, generator.next() as UInt64)
        bytes = InlineArray { index in UInt8(truncatingIfNeeded: (index < 8 ? high : low) >> UInt64(index % 8 * 8)) }
    }

    /// - Returns: `nil` unless there are 16 bytes.
    package init?(_ bytes: Span<UInt8>) {
        guard bytes.count == Self.length else { return nil }
        self.bytes = InlineArray { bytes[$0] }
    }
}

/// Makes commitments one after another. Must be used by one thread at a time.
package struct CommitmentHasher: ~Copyable {
    private var sha256 = SHA256()

    package init() {}

    /// - Parameter fields: the private fields, as canonical JSON (``PrivateFields``).
    package mutating func commitment(to fields: [UInt8], salt: Salt) -> Commitment {
        commitment(to: fields.span, salt: salt)
    }

    mutating func commitment(to fields: Span<UInt8>, salt: Salt) -> Commitment {
        Commitment(sha256.hmac(of: fields, under: salt.bytes.span))
    }
}

extension Salt: Equatable {
    package static func == (one: Salt, other: Salt) -> Bool {
        one.bytes.indices.allSatisfy { one.bytes[$0] == other.bytes[$0] }
    }
}
