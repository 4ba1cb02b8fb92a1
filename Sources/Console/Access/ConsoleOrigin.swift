import HTTPTypes

/// The origin by which browsers reach the console: `https` and the host in the settings, or this machine's loopback.
///
/// Browsers keep cookies with `Secure` for https, and for loopback without it. Any other host is refused, which also
/// excludes a page whose name was pointed to this machine (DNS rebinding).
struct ConsoleOrigin: Sendable {
    /// `https://console.example.com`, as in the settings; `nil` if the console is used only on this machine.
    let published: String?

    /// The origin of a request.
    /// - Parameter authority: the request's `Host`.
    /// - Returns: `nil` if the console does not have this host.
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
