/// One entry of an organization's `targetHosts`: a host, or all hosts below one.
///
/// `*.shop.example` matches `www.shop.example` and, unlike in a certificate, `a.b.shop.example`, but not
/// `shop.example`.
package struct TargetHostPattern: Hashable, Sendable, CustomStringConvertible {
    private let host: TargetHost
    private let isWildcard: Bool

    package init(_ text: String) throws(TargetURLError) {
        let bytes = Array(text.utf8)
        isWildcard = bytes.starts(with: "*.".utf8)
        guard let host = TargetHost(bytes.dropFirst(isWildcard ? 2 : 0)), !(isWildcard && host.isAddress),
            host.text.utf8.count + (isWildcard ? 2 : 0) <= TargetHost.maximumLength
        else { throw .notAHostPattern }
        self.host = host
    }

    func matches(_ candidate: TargetHost) -> Bool {
        isWildcard ? candidate.text.hasSuffix(".\(host.text)") : candidate == host
    }

    /// The pattern in lower case, as it is stored and shown.
    package var description: String { isWildcard ? "*.\(host.text)" : host.text }
}
