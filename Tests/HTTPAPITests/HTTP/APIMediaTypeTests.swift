import Testing

@testable import HTTPAPI

struct APIMediaTypeTests {
    @Test(
        "a content type is known in any case and with a charset of UTF-8",
        arguments: [
            ("application/json", .json), ("Application/JSON", .json), ("application/json; charset=utf-8", .json),
            ("application/json;charset=\"UTF-8\"", .json), ("application/json ; x=y", .json),
            ("application/x-ndjson", .jsonLines), ("application/x-ndjson; charset=UTF-8", .jsonLines),
            ("text/csv", .csv), ("application/json; charset=utf8", .json),
            ("application/json;charset=\"UTF8\"", .json),
        ] as [(String, APIMediaType)])
    func known(_ text: String, _ type: APIMediaType) {
        #expect(APIMediaType(contentType: text) == type)
    }

    @Test(
        "another type or another charset is not known",
        arguments: [
            "", ";", "text/plain", "application/jsonp", "application/json5", "application/json; charset=latin1",
            "application/x-ndjson; charset=utf-16", "application/json; charset=utf88", "json", "*/*",
            "application/json, text/csv",
        ])
    func unknown(_ text: String) {
        #expect(APIMediaType(contentType: text) == nil)
    }
}
