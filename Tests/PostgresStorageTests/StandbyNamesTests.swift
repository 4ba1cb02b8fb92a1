import Testing

@testable import PostgresStorage

@Suite struct StandbyNamesTests {
    @Test(
        "commits that wait for some of several standbys are told from those that wait for the first of them",
        arguments: [
            ("", false), ("a", false), ("a, b", false), ("*", false), ("1 (a)", false), ("FIRST 1 (a, b)", false),
            ("2 (a,b)", false), (#""ANY 1 (a, b)""#, false), ("ANY 1 (a)", false), ("ANY 2 (a, b)", false),
            (#"ANY 1 ("a, b")"#, false),
            ("ANY 1 (a, b)", true), ("any 2 (a,b,c)", true), (" ANY  1(a,b) ", true), ("ANY 1 (*)", true),
            (#"ANY 1 ("db2","db3")"#, true),
        ])
    func names(_ text: String, _ waitsForSome: Bool) { #expect(StandbyNames(text).waitsForSome == waitsForSome) }
}
