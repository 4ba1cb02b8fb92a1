import ArgumentParser
import Ledger
import Testing

@testable import consentlink

/// The verifier keys that the help shows, shortened.
@Suite struct ShownVerifierKeyTests {
    private static let wholeKey = "AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k"

    @Test(
        "the id of a key is that of its name and key",
        arguments: [Verify.configuration.discussion, AuditExport.configuration.discussion])
    func id(_ help: String) throws {
        let shown = try #require(help.split(separator: "\"").first { $0.contains("+") && $0.hasSuffix("…") })
        let parts = shown.dropLast().split(separator: "+")
        try #require(parts.count == 3)
        #expect(Self.wholeKey.hasPrefix(parts[2]))
        #expect(throws: Never.self) { try VerifierKey("\(parts[0])+\(parts[1])+\(Self.wholeKey)") }
    }
}
