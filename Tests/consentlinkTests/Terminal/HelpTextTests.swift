import Testing

@testable import consentlink

@Suite struct HelpTextTests {
    @Test("a usage is broken between its parts, and goes on below its first word")
    func usage() {
        let text = """
            OVERVIEW: Short.

            USAGE: consentlink do <file> --org <id> [--output <file>] [--allow <host> ...] [--json]

            OPTIONS:
              --org <id>   a line that somebody else has wrapped, however long it is by itself
            """
        #expect(
            HelpText.wrapped(text, columns: 40) == """
                OVERVIEW: Short.

                USAGE: consentlink do <file> --org <id>
                       [--output <file>]
                       [--allow <host> ...] [--json]

                OPTIONS:
                  --org <id>   a line that somebody else has wrapped, however long it is by itself
                """)
    }

    @Test("what fits stays as it is, to the last column", arguments: ["USAGE: a [--b]", "Usage: a [--b]\n  See a"])
    func fits(_ text: String) {
        #expect(HelpText.wrapped(text, columns: 14) == text)
        #expect(HelpText.wrapped(text, columns: 13) == text.replacing(" [", with: "\n       ["))
    }

    @Test("in a terminal that is too narrow each part has a line, and none is lost", arguments: [1, 7, 12])
    func narrow(_ columns: Int) {
        #expect(
            HelpText.wrapped("USAGE: consentlink do [--to <storage>] <id>", columns: columns)
                == "USAGE: consentlink\n       do\n       [--to <storage>]\n       <id>")
    }
}
