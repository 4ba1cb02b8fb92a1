import Cryptography
import UseCases

@testable import Console

extension SessionKeeper {
    static let testErasureKey = SecretBytes([UInt8](repeating: 7, count: 32))

    /// A keeper without API keys and without a provider, which waits for its store for a moment only.
    static func test(_ store: FailingSessionStore, operatorKey: Credential) throws -> SessionKeeper {
        SessionKeeper(
            store: store, seals: try SessionSeals(erasureKey: testErasureKey), keys: NoAPIKeys(),
            operatorKey: operatorKey.digest, provider: ProviderGrants(nil),
            wait: StoreWait(timeout: .milliseconds(200), timeoutWithSilent: .milliseconds(50)))
    }
}
