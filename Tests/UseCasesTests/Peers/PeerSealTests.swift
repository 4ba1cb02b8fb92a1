import Cryptography
import Identifiers
import Testing
import UseCases

@Suite struct PeerSealTests {
    private let seal: PeerSeal
    private let other: PeerSeal
    private let id: MessageID
    private let link = LinkIndex(rawValue: 1)

    init() throws {
        seal = try PeerSeal(clusterKey: SecretBytes([UInt8](repeating: 1, count: 32)))
        other = try PeerSeal(clusterKey: SecretBytes([UInt8](repeating: 2, count: 32)))
        id = try #require(MessageID(rawValue: 7))
    }

    private func question() throws -> PeerSeal.Question {
        var random = SecureRandom()
        return try seal.question(id, link, using: &random)
    }

    @Test("a node knows a question of another, and its answer")
    func genuine() throws {
        let question = try question()
        #expect(seal.question(in: question.header, of: id, link) == question)
        #expect(seal.isGenuine("abc", tag: try seal.tag(of: "abc", to: question), to: question))
        #expect(try self.question() != question, "no two are the same")
    }

    @Test("a question of another cluster, of another message or link, or a changed one is none")
    func foreign() throws {
        let header = try question().header
        #expect(other.question(in: header, of: id, link) == nil)
        #expect(seal.question(in: header, of: try #require(MessageID(rawValue: 8)), link) == nil)
        #expect(seal.question(in: header, of: id, LinkIndex(rawValue: 2)) == nil)
        for index in header.indices {
            var changed = header
            changed.replaceSubrange(index...index, with: header[index] == "A" ? "B" : "A")
            #expect(seal.question(in: changed, of: id, link) == nil)
        }
        for text in ["", ".", "..", header + "A", String(header.dropLast()), "x." + header, "AAAA.AAAA"] {
            #expect(seal.question(in: text, of: id, link) == nil)
        }
    }

    @Test("an answer to another question, of another cluster or a changed one is not believed")
    func answers() throws {
        let (question, later) = (try question(), try self.question())
        let tag = try seal.tag(of: "abc", to: question)
        #expect(!seal.isGenuine("abd", tag: tag, to: question))
        #expect(!seal.isGenuine("abc", tag: tag, to: later))
        #expect(!seal.isGenuine("abc", tag: try other.tag(of: "abc", to: question), to: question))
        #expect(!seal.isGenuine("abc", tag: String(question.header.split(separator: ".")[1]), to: question))
        #expect(!seal.isGenuine("abc", tag: "", to: question))
    }
}
