import Testing

@testable import Console

@Suite struct TargetLimitTests {
    @Test(
        "an address has room for an answer of the provider, and 32 members at most",
        arguments: [
            ("/sign-in", true), ("/sign-in/provider/answer?" + String(repeating: "a", count: 8192), true),
            ("/sign-in/provider/answer?" + String(repeating: "a", count: 8193), false),
            ("/x?" + Array(repeating: "a=b", count: 32).joined(separator: "&"), true),
            ("/x?" + Array(repeating: "a=b", count: 33).joined(separator: "&"), false),
        ])
    func limits(_ target: String, _ isWithin: Bool) {
        #expect(TargetLimitMiddleware.isWithin(target) == isWithin)
    }
}
