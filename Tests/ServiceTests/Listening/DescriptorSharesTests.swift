import Testing

@testable import Service

@Suite struct DescriptorSharesTests {
    @Test("both listeners and the reserve fit into the limit", arguments: [512, 1024, 1256, 4096, 20_000, 1_048_576])
    func fit(_ limit: Int) throws {
        let shares = try DescriptorShares(limit: limit)
        #expect(shares.publicListener > 0 && shares.privateListener > 0)
        #expect(shares.publicListener + shares.privateListener + DescriptorShares.reserve <= limit)
    }

    @Test("a limit with which no listener is of use is refused by name", arguments: [0, 256, 511])
    func tooFew(_ limit: Int) {
        #expect(throws: TooFewDescriptors(limit: limit)) { try DescriptorShares(limit: limit) }
        #expect(TooFewDescriptors(limit: limit).description.contains("512"))
    }
}
