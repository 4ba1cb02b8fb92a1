import COpenSSL

/// Bytes that are overwritten when the last reference ends, and that no interpolation shows.
///
/// Immutable and shared by reference, so a secret exists once, even if it is passed on often.
package final class SecretBytes: @unchecked Sendable {
    // Sendable: only the initialisers write the bytes, before there is a second reference.
    private let bytes: UnsafeMutableBufferPointer<UInt8>

    /// - Parameter fill: must write every byte of its buffer.
    init(count: Int, fill: (UnsafeMutableBufferPointer<UInt8>) -> Void) {
        bytes = .allocate(capacity: count)
        bytes.initialize(repeating: 0)
        fill(bytes)
    }

    deinit {
        cl_cleanse(bytes.baseAddress, bytes.count)
        bytes.deallocate()
    }

    /// A copy of `bytes`; the caller must overwrite the original.
    package convenience init(_ bytes: Span<UInt8>) {
        self.init(count: bytes.count) { copy in
            for index in bytes.indices { copy[index] = bytes[index] }
        }
    }

    package convenience init(_ bytes: [UInt8]) { self.init(bytes.span) }

    /// `count` bytes from `generator`, which must be cryptographically secure.
    package convenience init(count: Int, using generator: inout some RandomNumberGenerator) {
        self.init(count: count) { bytes in
            for index in bytes.indices { bytes[index] = generator.next() }
        }
    }

    package var count: Int { bytes.count }

    /// Shows the bytes while `body` runs; copies that it makes are not overwritten.
    package func withSpan<Result, Failure: Error>(
        _ body: (Span<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try body(UnsafeBufferPointer(bytes).span)
    }

    func withUnsafeBufferPointer<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
        body(UnsafeBufferPointer(bytes))
    }
}

extension SecretBytes: Equatable {
    /// Takes a time that depends only on the lengths.
    package static func == (one: SecretBytes, other: SecretBytes) -> Bool {
        one.withSpan { one in other.withSpan { other in constantTimeEqual(one, other) } }
    }
}

extension SecretBytes: CustomStringConvertible, CustomReflectable {
    package var description: String { "(secret)" }
    package var customMirror: Mirror { Mirror(self, children: []) }
}
