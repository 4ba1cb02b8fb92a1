package import Cryptography
package import Identifiers

/// Authenticates questions and answers between nodes: an HMAC under a key that every node of a cluster has.
///
/// A question names a message and a link and has a random number. The answer's tag covers the question and the answer,
/// so that an attacker between the nodes cannot lead readers elsewhere. The answer is not secret: it is in messages
/// that were sent.
package struct PeerSeal: Sendable {
    private static let nonceLength = 16

    private let key: SecretBytes

    /// - Parameter clusterKey: the key of all nodes.
    package init(clusterKey: SecretBytes) throws(CryptographyError) {
        key = try HKDF.derive(from: clusterKey, info: Array("consentlink questions between nodes".utf8))
    }

    /// A question as in its header `ConsentLink-Peer`: a random number and the tag, both in Base64URL.
    package struct Question: Hashable, Sendable {
        package let header: String
    }

    package func question(_ message: MessageID, _ link: LinkIndex, using random: inout SecureRandom) throws -> Question
    {
        let nonce = Base64URL.encode(random.bytes(Self.nonceLength))
        return Question(header: "\(nonce).\(try tag(["question", nonce, message.description, link.description]))")
    }

    /// - Returns: the question in a header; `nil` if no node of the cluster asked it about this message and link.
    package func question(in header: String, of message: MessageID, _ link: LinkIndex) -> Question? {
        let parts = header.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, let nonce = try? Base64URL.decode(String(parts[0])), nonce.count == Self.nonceLength,
            let expected = try? tag(["question", String(parts[0]), message.description, link.description]),
            constantTimeEqual(Array(expected.utf8), Array(parts[1].utf8))
        else { return nil }
        return Question(header: header)
    }

    /// The tag of an answer.
    package func tag(of answer: String, to question: Question) throws -> String {
        try tag(["answer", question.header, answer])
    }

    package func isGenuine(_ answer: String, tag given: String, to question: Question) -> Bool {
        guard let expected = try? tag(of: answer, to: question) else { return false }
        return constantTimeEqual(Array(expected.utf8), Array(given.utf8))
    }

    /// The parts must not contain line breaks.
    private func tag(_ parts: [String]) throws -> String {
        let hmac = try HMACSHA256(key: key)
        let tag = hmac.tag(of: Array(parts.joined(separator: "\n").utf8).span)
        return Base64URL.encode((0..<HMACSHA256.tagLength).map { tag[$0] })
    }
}
