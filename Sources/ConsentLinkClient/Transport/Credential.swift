/// A key of the service. It is in no description and no mirror, so that no log gets it by accident.
struct Credential: Sendable, CustomStringConvertible, CustomReflectable {
    private let key: String

    init(_ key: String) throws(ConsentLinkError) {
        // Anything else would be a header of its own, or none.
        guard !key.isEmpty, key.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else {
            throw .invalidArgument("the key is empty or has characters that no key has")
        }
        self.key = key
    }

    var header: String { "Bearer \(key)" }

    var description: String { "clk_…" }

    var customMirror: Mirror { Mirror(self, children: [:]) }
}
