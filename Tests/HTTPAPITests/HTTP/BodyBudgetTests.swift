import Identifiers
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
}
