import Glibc
import Testing

@testable import Service

@Suite struct InheritedSocketsTests {
    private func sockets(_ environment: [String: String]) -> [Int32?] {
        let sockets = InheritedSockets(environment: environment, process: 7)
        return [sockets.publicListener, sockets.privateListener]
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
        #expect(named(":private") == [3, 4])
        #expect(named("private:") == [4, 3])
        #expect(named("", 1) == [3, nil])
        #expect(named(nil, 100) == [nil, nil])
        #expect(named(nil, 0) == [nil, nil])
    }

    @Test("a socket of another name, and the second of a name, are surplus")
    func surplus() {
        func surplus(_ names: String?, _ count: Int) -> [String] {
            var environment = ["LISTEN_PID": "7", "LISTEN_FDS": "\(count)"]
            environment["LISTEN_FDNAMES"] = names
            return InheritedSockets(environment: environment, process: 7).surplus
        }
        #expect(surplus("public:private:console", 3) == [])
        #expect(surplus("metrics:public", 2) == ["metrics"])
        #expect(surplus("public:unknown", 2) == ["unknown"])
        #expect(surplus("private:private:public", 3) == ["private"])
        #expect(surplus(nil, 2) == ["public"])
        #expect(surplus("metrics", 0) == [])
        #expect("\(SurplusSocketError(name: "metrics"))".contains(#"a socket named "metrics" that no listener takes"#))
    }

    @Test("a socket is not handed on to programs that this process starts")
    func closedOnExec() throws {
        // Whatever has the first descriptor that a manager would pass; else a file that takes it.
        while fcntl(3, F_GETFD) == -1 { try #require(open("/dev/null", O_RDONLY) >= 0) }
        try #require(fcntl(3, F_SETFD, 0) == 0)
        #expect(sockets(["LISTEN_PID": "7", "LISTEN_FDS": "1"]) == [3, nil])
        #expect(fcntl(3, F_GETFD) & FD_CLOEXEC != 0)
    }

    @Test("the program's own sockets come first, and only those that listen")
    func own() throws {
        let socket = try ListeningSocket(ListenAddress(host: "127.0.0.1", port: 0), setting: "listen")
        let descriptor = try #require(socket.handOver())
        let environment = [
            InheritedSockets.variable: "public=\(descriptor):private=\(descriptor)", "LISTEN_PID": "7",
            "LISTEN_FDS": "1",
        ]
        #expect(InheritedSockets(environment: environment, process: 7).publicListener == nil)
        close(try #require(try socket.listen()))
        let sockets = InheritedSockets(environment: environment, process: 7)
        #expect(sockets.publicListener == descriptor)
        #expect(sockets.privateListener == descriptor)
        for text in ["", "public", "public=", "public=x", "public=999999", "=3:::"] {
            let sockets = InheritedSockets(environment: [InheritedSockets.variable: text], process: 7)
            #expect(sockets.publicListener == nil)
        }
    }
}
