import ASCII

/// The location of a database: hosts, name, user and the protection of the connection. It never contains a password.
///
///     postgres://user@host:5432/name?sslmode=verify-full&sslrootcert=/etc/ssl/ca.pem
///     postgres://user@one:5432,two:5432/name
///     postgres:///name?host=/var/run/postgresql
package struct PostgresLocation: Hashable, Sendable, CustomStringConvertible {
    package struct Host: Hashable, Sendable {
        /// A name, an address, or the folder of a Unix socket.
        package let name: String
        package let port: UInt16
    }

    static let schemes = ["postgres://", "postgresql://"]
    /// The allowed parameters after the question mark, besides `host` and `port`.
    private static let allowed: Set<String> = [
        "sslmode", "sslrootcert", "sslcert", "sslkey", "sslcrl", "ssl_min_protocol_version", "channel_binding",
        "application_name", "passfile", "krbsrvname", "gssencmode",
    ]

    package let hosts: [Host]
    package let user: String?
    package let database: String?
    /// libpq's parameters.
    package let options: [String: String]

    package init(_ text: String) throws(PostgresLocationError) {
        guard let scheme = Self.schemes.first(where: { text.hasPrefix($0) }) else { throw .scheme }
        guard !text.utf8.contains(where: { $0 <= 0x20 || $0 == 0x7F }) else { throw .character }
        var rest = text.dropFirst(scheme.count)
        // A password with characters that are not escaped would be parsed as another part, and be shown.
        if let at = rest.lastIndex(of: "@"), rest[..<at].contains(where: { ":/?@".contains($0) }) { throw .password }
        var options: [String: String] = [:]
        if let mark = rest.firstIndex(of: "?") {
            options = try Self.options(rest[rest.index(after: mark)...])
            rest = rest[..<mark]
        }
        var database: String?
        if let slash = rest.firstIndex(of: "/") {
            database = try Self.decoded(rest[rest.index(after: slash)...])
            rest = rest[..<slash]
        }
        var user: String?
        if let at = rest.lastIndex(of: "@") {
            user = try Self.decoded(rest[..<at])
            rest = rest[rest.index(after: at)...]
        }
        let port = try options.removeValue(forKey: "port").map { text throws(PostgresLocationError) in
            try Self.port(text[...])
        }
        if let folder = options.removeValue(forKey: "host") {
            guard rest.isEmpty else { throw .twoHosts }
            hosts = [Host(name: folder, port: port ?? 5432)]
        } else {
            hosts = try Self.hosts(rest, port: port ?? 5432)
        }
        self.user = user.flatMap { $0.isEmpty ? nil : $0 }
        self.database = database.flatMap { $0.isEmpty ? nil : $0 }
        self.options = options
    }

    private static func hosts(_ text: Substring, port: UInt16) throws(PostgresLocationError) -> [Host] {
        var hosts: [Host] = []
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            var name = part
            var own = port
            if let end = part.lastIndex(of: "]") {
                guard part.hasPrefix("[") else { throw .host }
                name = part[part.index(after: part.startIndex)..<end]
                let after = part[part.index(after: end)...]
                guard after.isEmpty || after.hasPrefix(":") else { throw .host }
                if !after.isEmpty { own = try Self.port(after.dropFirst()) }
            } else if let colon = part.firstIndex(of: ":") {
                name = part[..<colon]
                own = try Self.port(part[part.index(after: colon)...])
            }
            let decoded = try Self.decoded(name)
            hosts.append(Host(name: decoded.isEmpty ? "localhost" : decoded, port: own))
        }
        return hosts
    }

    private static func port(_ text: Substring) throws(PostgresLocationError) -> UInt16 {
        guard let port = UInt16(text), port > 0, String(port) == text else { throw .port }
        return port
    }

    private static func options(_ text: Substring) throws(PostgresLocationError) -> [String: String] {
        var options: [String: String] = [:]
        for part in text.split(separator: "&") {
            guard let equals = part.firstIndex(of: "=") else { throw .option("without a value") }
            let name = String(part[..<equals])
            guard name != "password" else { throw .password }
            guard allowed.contains(name) || name == "host" || name == "port" else { throw .option(name) }
            guard options[name] == nil else { throw .option(name) }
            options[name] = try decoded(part[part.index(after: equals)...])
        }
        return options
    }

    /// Decodes percent escapes.
    private static func decoded(_ text: Substring) throws(PostgresLocationError) -> String {
        guard let bytes = PercentEncoding.decode(text.utf8), !bytes.contains(0),
            let decoded = String(validating: bytes, as: UTF8.self)
        else { throw .escape }
        return decoded
    }

    /// Whether it names authorities for the server's certificate, and a mode in which libpq does not ask them.
    package var verifiesNothing: Bool {
        options["sslrootcert"] != nil && !["require", "verify-ca", "verify-full"].contains(options["sslmode"])
    }

    /// Hosts and database, without user and options.
    package var description: String {
        let places = hosts.map { $0.name.hasPrefix("/") ? $0.name : "\($0.name):\($0.port)" }
        return "PostgreSQL at \(places.joined(separator: ", ")), database \(database ?? user ?? "of the user")"
    }
}

/// The fault of a database URL. It repeats none of its values.
package enum PostgresLocationError: Error, Hashable, CustomStringConvertible {
    case scheme
    case character
    case password
    case twoHosts
    case host
    case port
    case escape
    case option(String)

    package var description: String {
        switch self {
        case .scheme: "must begin with postgres:// or postgresql://"
        case .character: "must not have blanks or control characters"
        case .password:
            """
            must not have a password: give it in the environment as CONSENTLINK_STORAGE_PASSWORD, in a file that the \
            setting storage-password-file names, or in ~/.pgpass
            """
        case .twoHosts: "must name its host once: before the path, or as the option host"
        case .host: "has a host that cannot be read"
        case .port: "has a port that is not from 1 to 65535"
        case .escape: "has a percent sign that escapes no character"
        case .option(let name): "has an option that is not known, or twice: \(name)"
        }
    }
}
