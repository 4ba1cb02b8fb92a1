import Identifiers
import Testing

@testable import Console

@Suite struct LedgerExportsTests {
    private let acme: OrganizationID
    private let other: OrganizationID
    private let exports = LedgerExports()

    init() throws {
        acme = try OrganizationID("acme")
        other = try OrganizationID("other")
    }

    @Test("one export of each organization is under way at once")
    func once() throws {
        let first = try #require(exports.begin(of: acme))
        #expect(exports.begin(of: acme) == nil)
        let foreign = exports.begin(of: other)
        #expect(foreign != nil)
        first.end()
        let second = try #require(exports.begin(of: acme))
        // The one before is over, and ends no other.
        first.end()
        #expect(exports.begin(of: acme) == nil)
        second.end()
    }

    @Test("an export that nothing has any more is over")
    func forgotten() {
        do {
            let export = exports.begin(of: acme)
            #expect(export != nil)
        }
        #expect(exports.begin(of: acme) != nil)
    }
}
