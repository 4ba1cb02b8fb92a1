import HTTPTypes

/// Where browsers reach the console: `https` and a host that is set, or the loopback of this machine.
///
/// Cookies with `Secure` are kept by browsers for https, and for loopback without it. Any other host is refused, which
/// also keeps out a page whose name was pointed to this machine (DNS rebinding).
struct ConsoleOrigin: Sendable {
    /// `https://console.example.com`, as it was set; `nil` where the console is used on this machine alone.
    let published: String?

    /// The origin under which a request came.
    /// - Parameter authority: the request's `Host`.
    /// - Returns: `nil` for a host that this console does not have.
    func origin(of authority: String?) -> String? {
        guard let authority, !authority.isEmpty else { return nil }
        if let published, published.lowercased() == "https://" + authority.lowercased() { return published }
        return Self.isLoopback(authority) ? "http://" + authority : nil
    }

    private static func isLoopback(_ authority: String) -> Bool {
        let host: Substring
        if authority.hasPrefix("[") {
            guard let end = authority.firstIndex(of: "]") else { return false }
            host = authority[...end]
            guard isPort(authority[authority.index(after: end)...]) else { return false }
        } else {
            let parts = authority.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 1 || isPort(":" + parts[1]) else { return false }
            host = parts[0]
        }
        return ["127.0.0.1", "[::1]", "localhost"].contains(host.lowercased())
    }

    private static func isPort(_ text: some StringProtocol) -> Bool {
        guard !text.isEmpty else { return true }
        return text.hasPrefix(":") && UInt16(text.dropFirst()) != nil
    }
}
