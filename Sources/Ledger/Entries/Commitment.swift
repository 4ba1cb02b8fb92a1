import Cryptography

/// Stands in an entry for what must not be read from it: HMAC-SHA-256 of the private fields, under the entry's salt.
///
/// With salt and fields it can be checked. Without the salt it says nothing, not even to a reader who guesses the
/// fields.
package struct Commitment: Sendable {
    package static let length = 32

    package let bytes: InlineArray<32, UInt8>

    package init(_ bytes: InlineArray<32, UInt8>) { self.bytes = bytes }

    /// - Returns: `nil` for anything but 32 bytes.
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

/// 16 random bytes of one entry alone. Once they are forgotten, the entry says nothing about any recipient.
package struct Salt: Sendable {
    package static let length = 16

    package let bytes: InlineArray<16, UInt8>

    package init(using generator: inout some RandomNumberGenerator) {
        let (high, low) = (generator.next() as UInt64, generator.next() as UInt64)
        bytes = InlineArray { index in UInt8(truncatingIfNeeded: (index < 8 ? high : low) >> UInt64(index % 8 * 8)) }
    }

    /// - Returns: `nil` for anything but 16 bytes.
    package init?(_ bytes: Span<UInt8>) {
        guard bytes.count == Self.length else { return nil }
        self.bytes = InlineArray { bytes[$0] }
    }
}

/// Makes commitments, one after the other. Belongs to one thread at a time.
package struct CommitmentHasher: ~Copyable {
    private var sha256 = SHA256()

    package init() {}

    /// - Parameter fields: what is committed to, as canonical JSON (``PrivateFields``).
    package mutating func commitment(to fields: [UInt8], salt: Salt) -> Commitment {
        commitment(to: fields.span, salt: salt)
    }

    package mutating func commitment(to fields: Span<UInt8>, salt: Salt) -> Commitment {
        Commitment(sha256.hmac(of: fields, under: salt.bytes.span))
    }
}

extension Salt: Equatable {
    package static func == (one: Salt, other: Salt) -> Bool {
        one.bytes.indices.allSatisfy { one.bytes[$0] == other.bytes[$0] }
    }
}
