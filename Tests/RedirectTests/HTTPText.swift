/// Requests and answers as they stand on the wire.
enum HTTPText {
    static func get(_ path: String, headers: String = "", version: String = "1.1") -> String {
        "GET \(path) HTTP/\(version)\r\nHost: links.example\r\n\(headers)\r\n"
    }

    /// What was answered, in its order: where a redirect leads, what the router said, or another status.
    static func answers(_ text: String) -> [String] {
        text.matches(of: #/HTTP/1\.1 (\d\d\d) .*?\r\n\r\n([^H]*)/#.dotMatchesNewlines()).map { match in
            switch match.1 {
            case "302": match.0.firstMatch(of: /Location: (\S+)/).map { String($0.1) } ?? ""
            case "200": String(match.2)
            default: String(match.1)
            }
        }
    }
}
