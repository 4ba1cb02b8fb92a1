import AsyncHTTPClient
import Cryptography
import Foundation
import Identifiers
import JSON
import Messages
import NIOCore
import NIOHTTP1
import StoragePorts
import Synchronization
import UseCases

/// Asks the other nodes for messages that this one does not know. It asks all at once, and uses the first answer with
/// the message, if it is genuine.
final class NodePeers: LinkPeers {
    /// The longest time that a reader waits.
    private static let timeout = Duration.milliseconds(200)
    /// More requests at once could overload the other nodes.
    private static let maximumCount = 64
    private static let maximumAnswerSize = 1 << 20

    /// Never shut down: it ends with the process.
    private static let client = HTTPClient(
        eventLoopGroupProvider: .singleton, configuration: .init(redirectConfiguration: .disallow))

    private let seal: PeerSeal
    private let addresses: @Sendable () -> [String]
    private let asking = Atomic(0)

    /// - Parameter addresses: returns the present addresses of the other nodes.
    init(_ seal: PeerSeal, addresses: @escaping @Sendable () -> [String]) {
        self.seal = seal
        self.addresses = addresses
    }

    func message(_ id: MessageID, having link: LinkIndex) async -> FollowedMessage? {
        let addresses = addresses()
        guard !addresses.isEmpty else { return nil }
        guard asking.add(1, ordering: .relaxed).newValue <= Self.maximumCount else {
            asking.subtract(1, ordering: .relaxed)
            return nil
        }
        defer { asking.subtract(1, ordering: .relaxed) }
        return await withTaskGroup(of: FollowedMessage?.self) { group in
            for address in addresses {
                group.addTask { [self] in try? await ask(address, id, link) }
            }
            for await found in group {
                guard let found else { continue }
                group.cancelAll()
                return found
            }
            return nil
        }
    }

    private func ask(_ address: String, _ id: MessageID, _ link: LinkIndex) async throws -> FollowedMessage? {
        var random = SecureRandom()
        let question = try seal.question(id, link, using: &random)
        var request = HTTPClientRequest(url: "\(address)/v1/peer/messages/\(id)/links/\(link)")
        request.headers.add(name: "ConsentLink-Peer", value: question.header)
        let answer = try await Self.client.execute(
            request, timeout: .nanoseconds(Int64(Self.timeout / .nanoseconds(1))))
        guard answer.status == .ok else { return nil }
        let body = try await answer.body.collect(upTo: Self.maximumAnswerSize)
        guard case .object(let members)? = try? JSONValue.parse(Array(body.readableBytesView)),
            case .string(let packed)? = members["message"], case .string(let tag)? = members["tag"],
            seal.isGenuine(packed, tag: tag, to: question), let bytes = try? Base64URL.decode(packed),
            let message = FollowedMessage(id: id, packed: bytes), link == .message || message.targets[link] != nil
        else { return nil }
        return message
    }
}
