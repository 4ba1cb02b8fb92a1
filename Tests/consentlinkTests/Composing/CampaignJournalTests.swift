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

    private func begin(_ folder: TemporaryFolder) throws {
        var journal = try journal(folder)
        try journal.begin()
    }

    /// - Returns: the message that it says.
    @discardableResult private func requireSame(_ journal: CampaignJournal) throws -> String? {
        var journal = journal
        try journal.requireSame()
        return journal.message
    }

    @Test("the id of the message is noted with the first answer, and another one is refused from then on")
    func message() throws {
        try TemporaryFolder.with { folder in
            var first = try journal(folder)
            try first.begin()
            #expect(try requireSame(journal(folder)) == nil)
            try first.note(message: "m1")
            var later = try journal(folder)
            try later.requireSame()
            #expect(later.message == "m1")
            try later.note(message: "m1")
            let failure = try #require(throws: CommandFailure.self) { try later.note(message: "m2") }
            #expect(failure.exitCode == ExitStatus.usage)
            #expect(failure.description.contains("has answers of message m1, and the service answers with m2, as "))
        }
    }

    @Test("a journal of an earlier version gets the id, and an output without a journal gets none")
    func earlierVersion() throws {
        try TemporaryFolder.with { folder in
            var without = try journal(folder)
            try without.requireSame()
            try without.note(message: "m1")
            #expect(try folder.files == [])
            try begin(folder)
            let earlier = try folder.text(of: "p.compose")
            #expect(earlier.hasPrefix(#"{"version":1,"organization":"acme","order":""#) && earlier.hasSuffix("\"}\n"))
            var resumed = try journal(folder)
            try resumed.requireSame()
            try resumed.note(message: "m1")
            #expect(try folder.text(of: "p.compose") == earlier.dropLast(2) + #","message":"m1"}"# + "\n")
        }
    }

    @Test("an output is gone on with for the same message, however its JSON is written")
    func same() throws {
        try TemporaryFolder.with { folder in
            try begin(folder)
            try requireSame(journal(folder))
            try requireSame(
                journal(folder, #"{ "format": "plain", "message": {"purpose":"tracking", "name":"s\u0061le"} }"#))
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
            try begin(folder)
            let failure = try #require(throws: CommandFailure.self) { try requireSame(journal(folder, order)) }
            #expect(failure.exitCode == ExitStatus.usage)
            #expect(failure.description.contains("was begun with another message, purpose or format, as "))
            try requireSame(journal(folder))
        }
    }

    @Test("an output of another organization is refused by its name")
    func otherOrganization() throws {
        try TemporaryFolder.with { folder in
            try begin(folder)
            let failure = try #require(throws: CommandFailure.self) {
                try requireSame(journal(folder, organization: "shop"))
            }
            #expect(failure.description.contains("was begun for organization acme, and not for shop"))
        }
    }

    @Test("an output without a journal is one of an earlier version, and a journal that is none is said")
    func unknown() throws {
        try TemporaryFolder.with { folder in
            try requireSame(journal(folder))
            for text in ["", "{}", "mine", #"{"version":2,"organization":"acme","order":""}"#] {
                try folder.write(text, to: "p.compose")
                for failure in try [
                    #require(throws: CommandFailure.self) { try requireSame(journal(folder)) },
                    #require(throws: CommandFailure.self) { try begin(folder) },
                ] {
                    #expect(
                        failure.description.hasSuffix(
                            "/p.compose is not a journal of consentlink compose; name another --output"))
                }
                #expect(try folder.text(of: "p.compose") == text)
            }
        }
    }
}
