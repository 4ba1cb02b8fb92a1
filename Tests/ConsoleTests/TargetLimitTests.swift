import Testing

@testable import Console

@Suite struct TargetLimitTests {
    @Test(
        "an address has 8 KiB and 32 members at most",
        arguments: [
            ("/sign-in", true), ("/" + String(repeating: "a", count: 8191), true),
            ("/" + String(repeating: "a", count: 8192), false),
            ("/x?" + Array(repeating: "a=b", count: 32).joined(separator: "&"), true),
            ("/x?" + Array(repeating: "a=b", count: 33).joined(separator: "&"), false),
        ])
    func limits(_ target: String, _ isWithin: Bool) {
        #expect(TargetLimitMiddleware.isWithin(target) == isWithin)
    }
}
