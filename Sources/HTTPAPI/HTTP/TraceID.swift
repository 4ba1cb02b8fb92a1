import ASCII
import HTTPTypes

/// The trace that a request belongs to, as its header `traceparent` says (W3C Trace Context, 3.2). It is logged and
/// not passed on.
struct TraceID: Hashable, Sendable, CustomStringConvertible {
    /// 32 hexadecimal digits in lower case, not all of them 0.
    let description: String

    /// `nil` if `traceparent` is absent, present twice, or malformed.
    init?(of headers: HTTPFields) {
        let values = headers[values: .traceparent]
        guard values.count == 1 else { return nil }
        self.init(traceparent: values[0])
    }

    /// - Parameter traceparent: `version-traceid-parentid-flags`. Versions after 00 may have more parts, after a
    ///   hyphen.
    init?(traceparent: String) {
        let parts = traceparent.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
        guard parts.count >= 4, parts[0].count == 2, parts[1].count == 32, parts[2].count == 16, parts[3].count == 2,
            parts[0...3].allSatisfy({ $0.allSatisfy(\.isLowerCaseHexDigit) }),
            !parts[0].elementsEqual("ff".utf8), parts.count == 4 || !parts[0].elementsEqual("00".utf8),
            parts[1...2].allSatisfy({ $0.contains { $0 != UInt8(ascii: "0") } })
        else { return nil }
        description = String(Substring(parts[1]))
    }
}

extension HTTPField.Name {
    fileprivate static var traceparent: HTTPField.Name { .known("traceparent") }
}
