import ASCII

/// A key of the service. It is in no description and no mirror, so that it cannot get into a log by accident.
struct Credential: Sendable, CustomStringConvertible, CustomReflectable {
    private let key: String

    init(_ key: String) throws(ConsentLinkError) {
        // Other characters would end the header, or add another one.
        guard !key.isEmpty, key.utf8.allSatisfy(\.isVisible) else {
            throw .invalidArgument("the key is empty or has characters that no key has")
        }
        self.key = key
    }

    var header: String { "Bearer \(key)" }

    func withKey<Result>(_ body: ([UInt8]) -> Result) -> Result { body(Array(key.utf8)) }

    var description: String { "clk_…" }

    var customMirror: Mirror { Mirror(self, children: [:]) }
}
