/// The target of a request for an endpoint, and the places of its parts.
package struct DeviceTarget {
    package let endpoint: DeviceEndpoint
    /// The segment for the organization, unchecked; empty if the path has none.
    package private(set) var organization = 0..<0
    /// Empty if the path has none.
    package private(set) var trackingID = 0..<0
    /// The part after the question mark.
    package private(set) var query = 0..<0

    /// - Returns: `nil` for another target, and for one in a spelling that no app uses.
    package init?(_ target: Span<UInt8>) {
        if let query = Self.query(of: target) {
            endpoint = .adobeCampaign
            self.query = query
            return
        }
        for endpoint in DeviceEndpoint.ofOrganizations {
            guard let parts = Self.parts(target, endpoint) else { continue }
            self.endpoint = endpoint
            (organization, trackingID) = parts
            return
        }
        return nil
    }

    private static func query(of target: Span<UInt8>) -> Range<Int>? {
        let start = DeviceEndpoint.hits.utf8CodeUnitCount
        guard target.has(DeviceEndpoint.hits, at: 0) else { return nil }
        if target.has("?", at: start) { return (start + 1)..<target.count }
        if target.has("/?", at: start) { return (start + 2)..<target.count }
        return nil
    }

    private static func parts(
        _ target: Span<UInt8>, _ endpoint: DeviceEndpoint
    ) -> (organization: Range<Int>, trackingID: Range<Int>)? {
        guard let path = endpoint.path, target.has(path.start, at: 0) else { return nil }
        let start = path.start.utf8CodeUnitCount
        var end = start
        while end < target.count, target[end] != UInt8(ascii: "/") { end += 1 }
        guard target.has(path.end, at: end) else { return nil }
        let tail = end + path.end.utf8CodeUnitCount
        guard endpoint.hasTrackingIDInPath else {
            return tail == target.count ? (start..<end, tail..<tail) : nil
        }
        guard target.has("/", at: tail) else { return nil }
        for index in (tail + 1)..<target.count
        where target[index] == UInt8(ascii: "/") || target[index] == UInt8(ascii: "?") { return nil }
        return (start..<end, (tail + 1)..<target.count)
    }
}

extension Span<UInt8> {
    /// Whether `text` is at `position`.
    fileprivate func has(_ text: StaticString, at position: Int) -> Bool {
        guard position + text.utf8CodeUnitCount <= count else { return false }
        for offset in 0..<text.utf8CodeUnitCount where self[position + offset] != text.utf8Start[offset] {
            return false
        }
        return true
    }
}
