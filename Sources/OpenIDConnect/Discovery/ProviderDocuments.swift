import JSON

/// The provider's discovery document and key set, fetched when they are needed.
actor ProviderDocuments {
    private let transport: any ProviderTransport
    private let discovery: DocumentCache<ProviderMetadata>
    /// The cache for the address in the last discovery document.
    private var keys: (source: SecureURL, cache: DocumentCache<KeySet>)?

    init(_ settings: ProviderSettings, _ transport: any ProviderTransport) {
        self.transport = transport
        let issuer = settings.issuer
        let hasSecret = settings.clientSecret != nil
        discovery = DocumentCache(.metadata) {
            guard let url = ProviderMetadata.url(of: issuer) else { return .failure(.metadata(.issuer)) }
            do throws(SignInFailure) {
                let document = try await Self.fetch(
                    .discovery, url, longest: ProviderMetadata.maximumDocumentSize, transport)
                return .success(try ProviderMetadata(document, issuer: issuer, hasSecret: hasSecret))
            } catch {
                return .failure(error)
            }
        }
    }

    func metadata(now: UnixTime) async throws(SignInFailure) -> ProviderMetadata {
        try await discovery.document(now: now)
    }

    /// The key that a token names.
    /// - Parameter newer: whether the cached set has shown not to fit. It is fetched once more then, at most once a
    ///   minute.
    func key(
        _ identifier: String?, _ algorithm: SigningAlgorithm, _ metadata: ProviderMetadata, newer: Bool, now: UnixTime
    ) async throws(SignInFailure) -> ProviderKey {
        let keys = try await keyCache(metadata.keySetURL).document(newer: newer, now: now)
        switch keys.choice(identifier, algorithm) {
        case .key(let key): return key
        case .unknown: throw .token(.keyUnknown)
        case .unsuitable: throw .token(.keyUnsuitable)
        case .ambiguous: throw .token(.keyAmbiguous)
        }
    }

    private func keyCache(_ source: SecureURL) -> DocumentCache<KeySet> {
        if let keys, keys.source == source { return keys.cache }
        let cache = DocumentCache<KeySet>(.keys) { [transport] in
            do throws(SignInFailure) {
                let document = try await Self.fetch(.keys, source, longest: KeySet.maximumDocumentSize, transport)
                do throws(DocumentFault) {
                    return .success(try KeySet(document))
                } catch {
                    return .failure(.document(.keys, error))
                }
            } catch {
                return .failure(error)
            }
        }
        keys = (source, cache)
        return cache
    }

    private static func fetch(
        _ kind: ProviderDocument, _ url: SecureURL, longest: Int, _ transport: any ProviderTransport
    ) async throws(SignInFailure) -> JSONObject {
        do throws(DocumentFault) {
            return try await transport.document(url, longest: longest)
        } catch {
            throw .document(kind, error)
        }
    }
}
