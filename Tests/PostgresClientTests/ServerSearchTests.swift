import PostgresServer
import SQL
import Synchronization
import Testing

@testable import PostgresClient

/// How a connection finds its server among several hosts, and when it gives up.
@Suite struct ServerSearchTests {
    @Test("a machine that is lost holds up a connection for less time than it is waited for alone")
    func lostMachine() async throws {
        let server = try PostgresServer.shared.makeDatabase()
        let lost = try SilentPort()
        let (location, alone) = (try lost.before(server), try PostgresLocation("postgres://test@\(lost.host)/x"))
        let asked = Atomic(0)
        let isGivenUp = Atomic(false)
        async let waiting: Void = PostgresThread().run {
            _ = try? PostgresConnection(alone, password: nil) {
                asked.add(1, ordering: .releasing)
                return false
            }
            isGivenUp.store(true, ordering: .releasing)
        }
        // The last of these questions come at intervals: the lost machine has been waited for, and an attempt that
        // begins after them and waits as long ends later.
        while asked.load(ordering: .acquiring) < 5, !isGivenUp.load(ordering: .acquiring) {
            try await Task.sleep(for: .milliseconds(1))
        }
        let (answer, wasGivenUp) = try await PostgresThread().run {
            let connection = try PostgresConnection(location, password: nil)
            defer { connection.close() }
            let wasGivenUp = isGivenUp.load(ordering: .acquiring)
            return (try connection.statement("SELECT 41 + ?").first(1) { $0.integer(0) }, wasGivenUp)
        }
        #expect(!wasGivenUp && answer == 42)
        try await waiting
    }

    @Test("hosts that are all lost are given up, and the error names the last one")
    func allLost() throws {
        let (one, other) = (try SilentPort(), try SilentPort())
        let location = try PostgresLocation("postgres://test@\(one.host),\(other.host)/x")
        let error = #expect(throws: PostgresError.self) { _ = try PostgresConnection(location, password: nil) }
        #expect("\(error as Any)".contains("timeout expired"))
    }

    @Test("a host is looked up by its name, and one that has none says so")
    func names() throws {
        let silent = try SilentPort()
        let named = try PostgresLocation("postgres://test@localhost:\(silent.host.split(separator: ":")[1])/x")
        let late = #expect(throws: PostgresError.self) { _ = try PostgresConnection(named, password: nil) }
        #expect("\(late as Any)".contains("\"localhost\""))
        let closed = try PostgresLocation("postgres://test@localhost:1/x")
        let refused = #expect(throws: PostgresError.self) { _ = try PostgresConnection(closed, password: nil) }
        #expect("\(refused as Any)".contains("at \"localhost\" (127.0.0.1), port 1 failed: Connection refused"))
        let unknown = try PostgresLocation("postgres://test@nowhere.invalid/x")
        let error = #expect(throws: PostgresError.self) {
            _ = try PostgresConnection(unknown, password: nil, timeout: PostgresConnection.shortTimeout)
        }
        #expect("\(error as Any)".contains("could not translate host name \"nowhere.invalid\""))
    }

    @Test(
        "names alone are looked up",
        arguments: [
            ("db.example", true), ("localhost", true), ("127.0.0.1", false), ("::1", false), ("fe80::1%eth0", false),
            ("/var/run/postgresql", false),
        ])
    func lookup(_ host: String, _ isNeeded: Bool) {
        #expect(AddressLookup.isNeeded(for: host) == isNeeded)
    }

    @Test("connecting ends as soon as it is given up")
    func givenUp() throws {
        let silent = try SilentPort()
        let location = try PostgresLocation("postgres://test@\(silent.host)/x")
        var asked = 0
        #expect(throws: PostgresError(.connectionLost)) {
            _ = try PostgresConnection(location, password: nil) {
                asked += 1
                return asked == 3
            }
        }
        #expect(asked == 3, "it is asked while the server is silent, and not again once it is given up")
    }

    @Test("while a server with a newer timeline is known, the others are not left out soon")
    func olderTimeline() throws {
        let server = try PostgresServer.shared.makeDatabase()
        let lost = try SilentPort()
        let location = try lost.before(server)
        let took = try ContinuousClock().measure {
            try PostgresConnection(location, password: nil, knowing: 1_000).close()
        }
        #expect(took > .milliseconds(1_500))
    }
}
