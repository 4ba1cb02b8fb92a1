import JSON
import TestSupport
import Testing

@testable import consentlink

@Suite struct CampaignJournalTests {
    private static let order = #"{"message":{"name":"sale","purpose":"tracking"},"format":"plain"}"#

    private func journal(
        _ folder: TemporaryFolder, _ order: String = order, organization: String = "acme"
    ) throws -> CampaignJournal {
        CampaignJournal(
            output: folder.path(of: "p"), organization: organization, order: try JSONValue.parse(Array(order.utf8)))
    }

    @Test("an output is gone on with for the same message, however its JSON is written")
    func same() throws {
        try TemporaryFolder.with { folder in
            try journal(folder).begin()
            try journal(folder).requireSame()
            try journal(folder, #"{ "format": "plain", "message": {"purpose":"tracking", "name":"s\u0061le"} }"#)
                .requireSame()
            #expect(try folder.files == ["p.compose"])
            #expect(try folder.permissions(of: "p.compose") == 0o600)
            #expect(try !folder.text(of: "p.compose").contains("sale"), "nothing of the message is in it")
        }
    }

    @Test(
        "an output of something else is refused as wrong usage, and what it belongs to stays",
        arguments: [
            order.replacing("sale", with: "summer"), order.replacing("tracking", with: "news"),
            order.replacing("plain", with: "email"), order.replacing("{\"message", with: "{\"preview\":true,\"message"),
        ])
    func other(_ order: String) throws {
        try TemporaryFolder.with { folder in
            try journal(folder).begin()
            let failure = try #require(throws: CommandFailure.self) { try journal(folder, order).requireSame() }
            #expect(failure.exitCode == ExitStatus.usage)
            #expect(failure.description.contains("was begun with another message, purpose or format, as "))
            try journal(folder).requireSame()
        }
    }

    @Test("an output of another organization is refused by its name")
    func otherOrganization() throws {
        try TemporaryFolder.with { folder in
            try journal(folder).begin()
            let failure = try #require(throws: CommandFailure.self) {
                try journal(folder, organization: "shop").requireSame()
            }
            #expect(failure.description.contains("was begun for organization acme, and not for shop"))
        }
    }

    @Test("an output without a journal is one of an earlier version, and a journal that is none is said")
    func unknown() throws {
        try TemporaryFolder.with { folder in
            try journal(folder).requireSame()
            for text in ["", "{}", "mine", #"{"version":2,"organization":"acme","order":""}"#] {
                try folder.write(text, to: "p.compose")
                for failure in try [
                    #require(throws: CommandFailure.self) { try journal(folder).requireSame() },
                    #require(throws: CommandFailure.self) { try journal(folder).begin() },
                ] {
                    #expect(
                        failure.description.hasSuffix(
                            "/p.compose is no journal of consentlink compose; name another --output"))
                }
                #expect(try folder.text(of: "p.compose") == text)
            }
        }
    }
}
