import Testing

@testable import UseCases

struct IdempotencyKeyTests {
    @Test(
        "a string in quotes is a key, without its quotes and escapes",
        arguments: [
            ("\"a\"", "a"), ("\"8e03978e-40d5-43dd-bc93-6894a57f9324\"", "8e03978e-40d5-43dd-bc93-6894a57f9324"),
            ("\"a b\"", "a b"), ("\" \"", " "), ("\"\\\"\"", "\""), ("\"\\\\\"", "\\"), ("\"a\"  ", "a"),
            ("\"\(String(repeating: "k", count: 255))\"", String(repeating: "k", count: 255)),
        ])
    func strings(_ header: String, _ key: String) {
        #expect(IdempotencyKey(header)?.bytes == Array(key.utf8))
    }

    @Test(
        "anything else is none",
        arguments: [
            "", "\"", "\"\"", "a", "'a'", "\"a", "a\"", "\"a\"b\"", "\"a\" b", "\"a\\\"", "\"\\a\"", "\"a\";p=1",
            "\"a\",\"b\"", "\"\u{7F}\"", "\"\t\"", "\"é\"", "\"\u{0}\"", ":YQ==:",
            "\"\(String(repeating: "k", count: 256))\"",
        ])
    func others(_ header: String) {
        #expect(IdempotencyKey(header) == nil)
    }
}
