import HTTPTypes
import Identifiers
import NIOCore
import Testing

@testable import HTTPAPI

@Suite struct BodyBudgetTests {
    @Test("bodies share the budget, and one organization gets a half of it")
    func sharing() throws {
        let budget = BodyBudget(100)
        let (acme, zeta) = (try OrganizationID("acme"), try OrganizationID("zeta"))
        let allowances = [acme, zeta, nil].map { BodyAllowance(budget, for: $0, maximum: 100) }
        try withExtendedLifetime(allowances) {
            try allowances[0].reserve(50)
            #expect(throws: Problem.self) { try allowances[0].reserve(1) }
            try allowances[1].reserve(50)
            #expect(throws: Problem.self) { try allowances[2].reserve(1) }
            #expect(budget.bytesTaken == 100)
        }
    }

    @Test("of a body that is read in parts, what is held counts, and no more")
    func holding() throws {
        let budget = BodyBudget(100)
        let allowance = BodyAllowance(budget, for: try OrganizationID("acme"), maximum: 100)
        for count in [10, 50, 20, 0, 30] {
            try allowance.hold(count)
            #expect(budget.bytesTaken == count)
        }
        #expect(throws: Problem.self) { try allowance.hold(51) }
        #expect(budget.bytesTaken == 30)
        withExtendedLifetime(allowance) {}
    }

    @Test("a request that is done with gives its part back")
    func givingBack() throws {
        let budget = BodyBudget(100)
        for _ in 0..<3 { try BodyAllowance(budget, for: try OrganizationID("acme"), maximum: 100).reserve(50) }
        #expect(budget.bytesTaken == 0)
    }

    @Test("a body that takes longer than it may is refused when its next bytes come")
    func slowness() async throws {
        func collect(within limit: Duration?) async throws -> [UInt8] {
            let pieces = AsyncThrowingStream<ByteBuffer, any Error> { continuation in
                continuation.yield(ByteBuffer(string: "{"))
                continuation.yield(ByteBuffer(string: "}"))
                continuation.finish()
            }
            return try await BodyAllowance(BodyBudget(), for: nil, maximum: 2).collect(pieces, within: limit)
        }
        #expect(try await collect(within: nil) == Array("{}".utf8))
        #expect(try await collect(within: .seconds(600)) == Array("{}".utf8))
        let problem = try await #require(throws: Problem.self) { try await collect(within: .seconds(-1)) }
        #expect(problem.status == .requestTimeout)
    }

    @Test("a body that is too large is refused, however it comes")
    func size() async throws {
        let pieces = AsyncThrowingStream<ByteBuffer, any Error> { continuation in
            for _ in 0..<3 { continuation.yield(ByteBuffer(string: "1")) }
            continuation.finish()
        }
        let budget = BodyBudget()
        let problem = try await #require(throws: Problem.self) {
            _ = try await BodyAllowance(budget, for: nil, maximum: 2).collect(pieces, within: nil)
        }
        #expect(problem.status == .contentTooLarge)
        #expect(budget.bytesTaken == 0)
    }
}
