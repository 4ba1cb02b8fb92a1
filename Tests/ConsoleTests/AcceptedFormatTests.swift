import HTTPAPI
import Testing

@Suite struct AcceptedFormatTests {
    @Test(
        "a page, its JSON or its CSV, as the browser or the program wants most",
        arguments: [
            ("text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8", "text/html"),
            ("*/*", "text/html"), ("text/*", "text/html"), ("application/json", "application/json"),
            ("text/csv", "text/csv"), ("text/csv, application/json", "application/json"),
            ("application/json, text/plain, */*", "application/json"), ("text/csv, */*;q=0.1", "text/csv"),
            ("text/html;q=0.5, application/json", "application/json"),
            ("text/html;q=0.5, application/json;q=0.4, text/csv;q=0.9", "text/csv"),
            ("application/json;q=0, text/html", "text/html"), ("application/json;q=0, */*", "text/html"),
            ("Application/JSON", "application/json"),
        ])
    func preferred(_ accept: String, _ type: String) {
        #expect(Accept(accept).preferred(among: ["text/html", "application/json", "text/csv"]) == type)
    }

    @Test("nothing that is accepted", arguments: ["", "image/png", "application/json;q=0", "text/csv;q=2"])
    func nothing(_ accept: String) {
        #expect(Accept(accept).preferred(among: ["text/html", "application/json", "text/csv"]) == nil)
    }
}
