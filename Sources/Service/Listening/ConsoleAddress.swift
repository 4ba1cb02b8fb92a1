import Console
import HTTPAPI
import Identifiers
import Messages
import Synchronization

/// The address by which people reach the console: the setting, or else its listening address.
final class ConsoleAddress: Sendable {
    private let published: PublicOrigin?
    /// Guards the listening address; `nil` before the console listens, and if there is none.
    private let address = Mutex<ListenAddress?>(nil)

    init(published: PublicOrigin?) { self.published = published }

    func set(_ address: ListenAddress?) { self.address.withLock { $0 = address } }

    /// `https://console.example.com`, or the loopback if the console listens on every address.
    private var origin: String? {
        guard let address = address.withLock({ $0 }) else { return nil }
        if let published { return published.text }
        return "http://\(address.isLoopback ? address : ListenAddress(host: "127.0.0.1", port: address.port))"
    }

    /// A link that signs in the operator once; `nil` if there is no console.
    func makeSignInLink(_ sessions: SessionKeeper, at now: Timestamp) async throws -> SignInLink? {
        guard let origin else { return nil }
        let token = try await sessions.makeLink(at: now)
        return SignInLink(
            url: "\(origin)\(Console.signInLinkPath)/\(token)",
            expiresAt: now.advanced(by: SessionKeeper.linkLifetime))
    }
}
