import Glibc
import Testing

@testable import Service

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

    @Test("of two sockets of one name the first counts, of a hundred none, and one without a name is for links")
    func count() {
        func named(_ names: String?, _ count: Int = 2) -> [Int32?] {
            var environment = ["LISTEN_PID": "7", "LISTEN_FDS": "\(count)"]
            environment["LISTEN_FDNAMES"] = names
            return sockets(environment)
        }
        #expect(named("private:private") == [nil, 3])
        #expect(named("unknown:consentlink.socket") == [3, nil])
        #expect(named("private") == [4, 3])
        #expect(named(":private") == [nil, 4])
        #expect(named(nil, 100) == [nil, nil])
        #expect(named(nil, 0) == [nil, nil])
    }

    @Test("a socket is not handed on to programs that this process starts")
    func closedOnExec() throws {
        // Whatever has the first descriptor that a manager would pass; else a file that takes it.
        while fcntl(3, F_GETFD) == -1 { try #require(open("/dev/null", O_RDONLY) >= 0) }
        try #require(fcntl(3, F_SETFD, 0) == 0)
        #expect(sockets(["LISTEN_PID": "7", "LISTEN_FDS": "1"]) == [3, nil])
        #expect(fcntl(3, F_GETFD) & FD_CLOEXEC != 0)
    }
}
