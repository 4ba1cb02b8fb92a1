/// The address of a listener: `HOST:PORT`, with an IPv6 address in brackets.
package struct ListenAddress: Hashable, Sendable, CustomStringConvertible {
    package let host: String
    /// 0 lets the system choose.
    package let port: Int

    package init(host: String, port: Int) {
        self.host = host
        self.port = port
    }

    /// `*` stands for `0.0.0.0`.
    /// - Returns: `nil` for a text of another form.
    package init?(_ text: String) {
        guard let colon = text.lastIndex(of: ":") else { return nil }
        let digits = text[text.index(after: colon)...]
        guard let port = UInt16(digits), String(port) == digits else { return nil }
        var host = text[..<colon]
        if host.hasPrefix("["), host.hasSuffix("]") {
            host = host.dropFirst().dropLast()
        } else if host.contains(":") {
            return nil
        }
        guard !host.isEmpty, host.allSatisfy({ $0.isASCII && !$0.isWhitespace }) else { return nil }
        // getaddrinfo(3) takes `*` for the loopback.
        self.init(host: host == "*" ? "0.0.0.0" : String(host), port: Int(port))
    }

    /// Whether it stands for every address of the machine, in any spelling.
    package var isEveryAddress: Bool { ["0.0.0.0", "::"].contains(number?.host ?? host) }

    /// Whether only this machine can reach it.
    package var isLoopback: Bool { host == "localhost" || host == "::1" || host.hasPrefix("127.") }

    /// Whether both cannot be bound at once.
    func overlaps(_ other: ListenAddress) -> Bool {
        guard port == other.port, port != 0 else { return false }
        return (number ?? self).host == (other.number ?? other).host || isEveryAddress || other.isEveryAddress
    }

    package var description: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }
}
