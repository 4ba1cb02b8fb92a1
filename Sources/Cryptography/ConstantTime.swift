import COpenSSL

/// Whether both have the same bytes, in a time that depends only on their lengths. Different lengths are not equal.
package func constantTimeEqual(_ one: Span<UInt8>, _ other: Span<UInt8>) -> Bool {
    guard one.count == other.count else { return false }
    return one.withUnsafeBufferPointer { one in
        other.withUnsafeBufferPointer { other in
            cl_equal(one.baseAddress, other.baseAddress, one.count)
        }
    }
}

package func constantTimeEqual(_ one: [UInt8], _ other: [UInt8]) -> Bool {
    constantTimeEqual(one.span, other.span)
}
