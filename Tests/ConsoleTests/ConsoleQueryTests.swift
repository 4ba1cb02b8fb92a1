import Testing

@testable import Console

@Suite struct ConsoleQueryTests {
    @Test(
        "a value is what was typed into a form, and what a link of the console names",
        arguments: [
            ("dice+4711", "dice 4711"), ("dice%204711", "dice 4711"), ("a%2Bb", "a+b"), ("50%25", "50%"),
            ("++x+", "  x "), ("%C3%BC%25+%2B", "ü% +"), ("a=b", "a=b"), ("%zz+", "%zz+"), ("%ff", "%ff"),
            ("+\u{301}", " \u{301}"),
        ])
    func decoded(_ sent: String, _ value: String) {
        #expect(ConsoleQuery("x=1&seed=\(sent)&&y").first("seed") == value)
    }

    @Test("a link of the console leads to the value that it names", arguments: ["dice 4711", "a+b", "50%", " ü&=+ "])
    func written(_ value: String) throws {
        let link = ConsoleCall.address("/x", [("seed", value)])
        #expect(!link.contains("+"))
        #expect(ConsoleQuery(String(link.dropFirst("/x?".count))).single("seed") == value)
    }

    @Test("a member without a value, and one that is there twice, are none")
    func single() {
        let query = ConsoleQuery("a&b=&c=1&c=2&d=4")
        #expect(["a", "b", "c", "d"].map(query.single) == [nil, nil, nil, "4"])
        #expect(query.first("b")?.isEmpty == true && query.first("c") == "1")
    }
}
