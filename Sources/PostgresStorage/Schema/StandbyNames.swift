/// The setting `synchronous_standby_names`: the standbys that a commit waits for
/// (https://www.postgresql.org/docs/current/runtime-config-replication.html).
struct StandbyNames {
    /// Whether a commit waits for a number of standbys, any of the list: `ANY 1 (a, b)`.
    let waitsForSome: Bool

    init(_ text: String) {
        guard let parts = text.wholeMatch(of: /\s*[Aa][Nn][Yy]\s+(\d+)\s*\((.*)\)\s*/), let count = Int(parts.1) else {
            waitsForSome = false
            return
        }
        // A quoted text is one name, with any content.
        let names = parts.2.replacing(/"(?:[^"]|"")*"/, with: "name").split(separator: ",")
        waitsForSome = count < names.count || names.contains { $0.trimmingSpaces == "*" }
    }
}

extension Substring {
    fileprivate var trimmingSpaces: Substring { drop(while: \.isWhitespace).prefix { !$0.isWhitespace } }
}
