import Cryptography
import Identifiers
import Testing

@testable import SQLStorage

@Suite struct RecipientHasherTests {
    private let hasher = RecipientHasher(key: SecretBytes([UInt8](repeating: 7, count: 32)))

    @Test(
        "the hash is HMAC-SHA-256 of organization, a zero byte and the recipient's key",
        arguments: [
            ("ana@example.com", RecipientComparison.email), ("Ana@Example.com", .email), ("ana@example.com", .exact),
        ])
    func vector(_ name: String, _ comparison: RecipientComparison) throws {
        let hash = try hasher.person(named: RecipientID(name), in: OrganizationID("acme"), by: comparison).hash
        let hmac = try HMACSHA256(key: SecretBytes([UInt8](repeating: 7, count: 32)))
        let message = Array("acme\0ana@example.com".utf8)
        let expected = hmac.tag(of: message.span)
        #expect(hash.indices.allSatisfy { hash[$0] == expected[$0] })
    }

    @Test("people of a list get the hash that each gets alone, and no two the same")
    func list() throws {
        let recipients = try ["a", "ab", "b", "jos\u{E9}", "jose\u{301}"].map { try RecipientID($0) }
        var seen: Set<[UInt8]> = []
        for organization in try ["acme", "acmea", "ACME"].map({ try OrganizationID($0) }) {
            let hashes = try hasher.people(named: recipients, in: organization, by: .exact).map(\.hash)
            for (recipient, hash) in zip(recipients, hashes) {
                let alone = try hasher.person(named: recipient, in: organization, by: .exact).hash
                #expect(hash.indices.allSatisfy { hash[$0] == alone[$0] })
                #expect(seen.insert(hash.indices.map { hash[$0] }).inserted)
            }
        }
    }
}
