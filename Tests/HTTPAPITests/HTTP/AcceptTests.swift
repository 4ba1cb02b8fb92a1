import Testing

@testable import HTTPAPI

struct AcceptTests {
    @Test(
        "the type with the greatest weight is chosen, among equals the one that is named most closely, then the first",
        arguments: [
            ("*/*", .json), ("application/json", .json), ("text/csv", .csv), ("application/x-ndjson", .jsonLines),
            ("TEXT/CSV", .csv), ("text/*", .csv), ("application/*", .json),
            ("text/csv, application/json", .json), ("text/csv, application/json;q=0.9", .csv),
            ("text/csv;q=0.1, application/json;q=0.2", .json), ("text/csv ; q=0.2 , */* ; q=0.1", .csv),
            ("*/*, application/json;q=0.5", .jsonLines), ("application/*;q=0.5, application/x-ndjson", .jsonLines),
            ("application/json;q=0, text/csv;q=0.001", .csv), ("text/csv;header=present", .csv),
            ("text/csv;q=1.000, application/x-ndjson;q=0.999", .csv),
            ("text/csv, */*", .csv), ("*/*, application/x-ndjson", .jsonLines), ("application/json, */*", .json),
            ("text/csv, application/*", .csv), ("text/*, */*", .csv), ("text/csv, */*;q=0.8", .csv),
            ("text/plain, */*", .json), ("text/csv;q=0.9, */*", .json),
        ] as [(String, APIMediaType)])
    func chosen(_ text: String, _ type: APIMediaType) {
        #expect(Accept(text).choice(among: .json, .jsonLines, .csv) == type)
    }

    @Test(
        "who wants nothing that is offered, or writes nonsense, gets the first",
        arguments: [
            "", ",", ";;", "text", "text/html", "image/*", "text/csv;q=0", "text/csv;q=2", "text/csv;q=x",
            "text/csv;q=-1", "text/csv;q=nan", "*/csv", "text/csv/x", "/", "text/", "*/*;q=0",
        ])
    func otherwise(_ text: String) {
        #expect(Accept(text).choice(among: .json, .jsonLines, .csv) == .json)
    }
}
