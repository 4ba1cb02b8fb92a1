import Cryptography
import HTTPTypes
import Identifiers
import JSON
import Messages
import Testing
import UseCases

@testable import HTTPAPI

/// What a node tells another one, and nobody else.
@Suite struct PeerRoutesTests {
    private let seal: PeerSeal
    private static let header = HTTPField.Name.known("ConsentLink-Peer")

    init() throws { seal = try PeerSeal(clusterKey: PrivateListenerFixture.clusterKey) }

    private func path(_ message: MessageID, _ link: LinkIndex = .message) -> String {
        "/v1/peer/messages/\(message)/links/\(link)"
    }

    private func question(_ message: MessageID, _ link: LinkIndex = .message) throws -> PeerSeal.Question {
        var random = SecureRandom()
        return try seal.question(message, link, using: &random)
    }

    private func ask(
        _ listener: PrivateListenerFixture, _ path: String, _ header: String?, key: String? = nil
    ) async throws -> ListenerAnswer {
        try await listener.ask(
            .get, path, pieces: [], key: key, type: nil, headers: header.map { [Self.header: $0] } ?? [:])
    }

    private func stored(_ listener: PrivateListenerFixture) async throws -> MessageID {
        try await listener.organization()
        return try MessageID(try await listener.compose(["ana"])["message"]?.text ?? "")
    }

    @Test("another node gets the message with a tag that only this question has")
    func known() async throws {
        try await PrivateListenerFixture.with { listener in
            let id = try await stored(listener)
            let question = try question(id)
            let answer = try await ask(listener, path(id), question.header)
            #expect(answer.status == 200)
            let packed = answer["message"]?.text ?? ""
            #expect(seal.isGenuine(packed, tag: answer["tag"]?.text ?? "", to: question))
            #expect(!seal.isGenuine(packed, tag: answer["tag"]?.text ?? "", to: try self.question(id)))
            let message = try #require(FollowedMessage(id: id, packed: try Base64URL.decode(packed)))
            #expect(message.targets.values.map(\.text) == ["https://shop.example/a"])
        }
    }

    @Test("who is no node learns nothing, not even whether there is such a message")
    func strangers() async throws {
        try await PrivateListenerFixture.with { listener in
            let id = try await stored(listener)
            let absent = try #require(MessageID(rawValue: id.rawValue &+ 1))
            let foreign = try PeerSeal(clusterKey: SecretBytes([UInt8](repeating: 6, count: 32)))
            var random = SecureRandom()
            let refused = try await ask(listener, path(absent), nil)
            #expect(refused.status == 404)
            let headers: [String?] = [
                nil, "", ".", "x", try question(absent).header, try question(id, LinkIndex(rawValue: 1)).header,
                try foreign.question(id, .message, using: &random).header,
            ]
            for header in headers {
                for key in [nil, PrivateListenerFixture.operatorKey] {
                    let answer = try await ask(listener, path(id), header, key: key)
                    #expect(answer.status == 404)
                    #expect(answer["type"] == refused["type"])
                    #expect(answer["detail"] == refused["detail"])
                }
            }
            #expect(try await ask(listener, path(absent), try question(absent).header).status == 404)
            for bad in ["/v1/peer/messages/x/links/0", "/v1/peer/messages/\(id)/links/65536"] {
                #expect(try await ask(listener, bad, try question(id).header).status == 404)
            }
        }
    }
}
