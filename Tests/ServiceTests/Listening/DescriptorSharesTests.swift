import Identifiers
import Testing

@testable import Service

@Suite struct DescriptorSharesTests {
    @Test("both listeners and the reserve fit into the limit", arguments: [512, 1024, 1256, 4096, 20_000, 1_048_576])
    func fit(_ limit: Int) throws {
        let shares = try DescriptorShares(limit: limit)
        #expect(shares.links > 0 && shares.api > 0)
        #expect(shares.links + shares.api + DescriptorShares.reserve <= limit)
    }

    @Test("a limit with which no listener is of use is refused by name", arguments: [0, 256, 511])
    func tooFew(_ limit: Int) {
        #expect(throws: TooFewDescriptors(limit: limit)) { try DescriptorShares(limit: limit) }
        #expect(TooFewDescriptors(limit: limit).description.contains("512"))
    }
}

@Suite struct InheritedSocketsTests {
    private func sockets(_ environment: [String: String]) -> [Int32?] {
        let sockets = InheritedSockets(environment: environment, process: 7)
        return [sockets.links, sockets.api]
    }

    @Test("sockets are taken by their names")
    func names() {
        let both = ["LISTEN_PID": "7", "LISTEN_FDS": "2", "LISTEN_FDNAMES": "private:public"]
        #expect(sockets(both) == [4, 3])
        #expect(sockets(["LISTEN_PID": "7", "LISTEN_FDS": "1"]) == [3, nil])
        #expect(sockets(["LISTEN_PID": "7", "LISTEN_FDS": "1", "LISTEN_FDNAMES": "other"]) == [nil, nil])
    }

    @Test("what is meant for another process, or is no number, is ignored")
    func foreign() {
        #expect(sockets([:]) == [nil, nil])
        #expect(sockets(["LISTEN_PID": "8", "LISTEN_FDS": "1"]) == [nil, nil])
        #expect(sockets(["LISTEN_PID": "7", "LISTEN_FDS": "-1"]) == [nil, nil])
        #expect(sockets(["LISTEN_PID": "7", "LISTEN_FDS": "many"]) == [nil, nil])
    }
}

@Suite struct BodyBudgetTests {
    @Test("bodies share the budget, and one organization gets a half of it")
    func sharing() throws {
        let budget = BodyBudget(100)
        let (acme, zeta) = (try OrganizationID("acme"), try OrganizationID("zeta"))
        let allowances = [acme, zeta, nil].map { BodyAllowance(budget, for: $0, maximum: 100) }
        try withExtendedLifetime(allowances) {
            try allowances[0].take(50)
            #expect(throws: Problem.self) { try allowances[0].take(1) }
            try allowances[1].take(50)
            #expect(throws: Problem.self) { try allowances[2].take(1) }
            #expect(budget.bytesTaken == 100)
        }
    }

    @Test("a request that is done with gives its part back")
    func givingBack() throws {
        let budget = BodyBudget(100)
        for _ in 0..<3 { try BodyAllowance(budget, for: try OrganizationID("acme"), maximum: 100).take(50) }
        #expect(budget.bytesTaken == 0)
    }
}
