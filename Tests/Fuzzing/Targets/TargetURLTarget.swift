import Glibc
import Messages

/// A target that is accepted is exactly what was given, harmless, and leads to the host that it seems to lead to.
struct TargetURLTarget: FuzzTarget {
    static let name = "target-url"

    private let anywhere: TargetRules
    private let shopOnly: TargetRules

    init() throws {
        anywhere = TargetRules(ownOrigin: try Samples.ownOrigin())
        shopOnly = TargetRules(
            ownOrigin: try Samples.ownOrigin(),
            allowedHosts: [try TargetHostPattern("shop.example"), try TargetHostPattern("*.shop.example")])
    }

    func hold(_ input: [UInt8]) throws -> Bool {
        guard let text = String(validating: input, as: UTF8.self) else { return false }
        guard let target = try? TargetURL(stored: text) else {
            try demand((try? TargetURL(text, rules: anywhere)) == nil, "rules permit what is no target")
            return false
        }
        try demand(Array(target.text.utf8) == input, "a target is not the bytes that were given")
        try demand((1...2048).contains(input.count), "a target has \(input.count) bytes")
        try demand(input.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "\\") }, "a target is not harmless")
        let url = PlainURL(text)
        let refused = ["javascript", "data", "vbscript", "file", "blob", "about", "view-source"]
        try demand(!url.scheme.isEmpty && !refused.contains(url.scheme), "a target runs code")
        try demand((target.kind == .web) == ["http", "https"].contains(url.scheme), "a scheme is of the wrong kind")
        try holdHost(of: target, url, text)
        return true
    }

    private func holdHost(of target: TargetURL, _ url: PlainURL, _ text: String) throws {
        guard let host = target.host else {
            // Where hosts are named, some schemes are refused that are an app's elsewhere; none is taken there alone.
            let restricted = try? TargetURL(text, rules: shopOnly)
            try demand(restricted == nil || restricted == (try? TargetURL(text, rules: anywhere)), "rules add a target")
            try demand(restricted == nil || restricted == target, "rules change an app's target")
            return
        }
        try demand(!url.authority.contains("@"), "a web target has credentials")
        try demand(url.isSameHost(as: host.text), "a web target leads to another host than it says")
        let isOwn = host.text == "links.example"
        try demand(((try? TargetURL(text, rules: anywhere)) == nil) == isOwn, "the service's own origin is mistaken")
        let isShop = host.text == "shop.example" || host.text.hasSuffix(".shop.example")
        try demand(((try? TargetURL(text, rules: shopOnly)) != nil) == isShop, "the list of hosts is mistaken")
    }
}

/// A URL read in the plainest way, by cutting, once it is known that nothing odd stands in it.
private struct PlainURL {
    let scheme: String
    let authority: Substring
    private let host: String

    init(_ text: String) {
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        scheme = parts[0].lowercased()
        let authority = parts.last?.dropFirst(2).prefix { !"/?#".contains($0) } ?? ""
        let end = authority.lastIndex(of: "]").map { authority.index(after: $0) } ?? authority.startIndex
        let colon = authority[end...].firstIndex(of: ":") ?? authority.endIndex
        self.authority = authority
        host = authority[..<colon].lowercased()
    }

    /// Whether this leads to the host of that spelling: the same name but for a dot at its end, or the same address.
    func isSameHost(as other: String) -> Bool {
        if let address = Self.address(host) { return Self.address(other) == address }
        return host == other || host == "\(other)."
    }

    /// The 16 bytes of an IPv6 address in brackets, as the system reads it.
    private static func address(_ host: String) -> [UInt8]? {
        guard host.hasPrefix("["), host.hasSuffix("]") else { return nil }
        var bytes = [UInt8](repeating: 0, count: 16)
        return inet_pton(AF_INET6, String(host.dropFirst().dropLast()), &bytes) == 1 ? bytes : nil
    }
}
