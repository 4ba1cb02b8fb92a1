import Testing

@testable import Interactions

@Suite struct AgentTableTests {
    @Test("a user agent of each row gets what the row says, and the row says where that is known from")
    func rows() {
        #expect(AgentTable.known.rows.count > 50)
        for row in AgentTable.known.rows {
            #expect(AgentMeaning(userAgent: row.example) == row.meaning, "\(row.word)")
            #expect(row.source.hasPrefix("https://") || row.source.hasPrefix("http://"), "\(row.word)")
            let agent = row.example.lowercased()
            #expect(row.isWhole ? agent == row.word : agent.contains(row.word), "\(row.word)")
        }
    }

    @Test("a word stands there once")
    func twice() {
        let words = AgentTable.known.rows.map(\.word)
        #expect(Set(words).count == words.count)
    }

    @Test("the first row that fits counts, and a whole user agent only where no word fits")
    func order() throws {
        let table = try #require(
            AgentTable(
                parsing: """
                    # A comment, and an empty line.

                    =me/1	cannotTell bareAgent	cannotTell bareAgent	s	me/1
                    =mebot	machine scannerAgent	machine scannerAgent	s	mebot
                    twobot	machine previewerAgent	machine previewerAgent	s	twobot
                    bot	machine crawlerAgent	person browserAgent	s	bot
                    """))
        func meaning(_ agent: String) -> AgentMeaning { table.meaning(of: agent.utf8Span.span) }
        #expect(meaning("ME/1") == AgentMeaning(.bareAgent))
        #expect(meaning("me/1.0") == .browser)
        #expect(meaning("a TwoBot") == AgentMeaning(.previewerAgent))
        #expect(meaning("mebot") == AgentMeaning(opening: .crawlerAgent, following: .browserAgent))
    }

    @Test(
        "a line in any other form is refused",
        arguments: [
            "bot", "bot\tmachine crawlerAgent\tmachine crawlerAgent\ts",
            "bot\tmachine crawlerAgent\tmachine crawlerAgent\t\tb",
            "Bot\tmachine crawlerAgent\tmachine crawlerAgent\ts\tb",
            "=\tmachine crawlerAgent\tmachine crawlerAgent\ts\tb",
            "bot\tperson crawlerAgent\tmachine crawlerAgent\ts\tb", "bot\tmachine notKept\tmachine crawlerAgent\ts\tb",
            "bot\tcrawlerAgent\tmachine crawlerAgent\ts\tb", "bot\tmachine crawlerAgent\tmachine crawlerAgent\ts\tb\t",
        ])
    func refused(_ line: String) {
        #expect(AgentTable(parsing: "x\tmachine crawlerAgent\tmachine crawlerAgent\ts\tx\n" + line) == nil)
    }
}
