import JSON

/// The keys that the provider signs with (RFC 7517, 5).
struct KeySet: Sendable {
    static let maximumDocumentSize = 256 << 10
    private static let maximumKeyCount = 64

    /// The key that a token names.
    enum Choice {
        case key(ProviderKey)
        /// No key has this name: the set may be older than the key.
        case unknown
        /// There are keys, but none is for this algorithm.
        case unsuitable
        case ambiguous
    }

    let keys: [ProviderKey]

    /// Elements that are no keys are ignored, as RFC 7517, 5 requires.
    init(_ document: JSONObject) throws(DocumentFault) {
        guard case .array(let elements)? = document["keys"], elements.count <= Self.maximumKeyCount else {
            throw .shape
        }
        keys = elements.compactMap(ProviderKey.init)
    }

    /// - Parameter identifier: the token's `kid`. Without it exactly one key of the set must be suitable.
    func choice(_ identifier: String?, _ algorithm: SigningAlgorithm) -> Choice {
        let named = identifier.map { name in keys.filter { $0.identifier?.hasSameBytes(as: name) ?? false } } ?? keys
        guard !named.isEmpty else { return .unknown }
        let suitable = named.filter { $0.suits(algorithm) }
        guard let key = suitable.first else { return .unsuitable }
        return suitable.count == 1 ? .key(key) : .ambiguous
    }
}
