import Testing

@testable import PostgresStorage

@Suite struct SealMemoryTests {
    @Test(
        "a folder demands seals in the database of which it knows that, and in one whose number cannot be read",
        arguments: [
            ("7/1", "7/1", true), ("7/1", nil, true), ("7/1", "7/2", false), (nil, "7/1", false), (nil, nil, false),
        ] as [(String?, String?, Bool)])
    func demands(_ known: String?, _ number: String?, _ demands: Bool) {
        #expect(SealMemory(database: known) { _ in }.demands(in: number) == demands)
    }
}
