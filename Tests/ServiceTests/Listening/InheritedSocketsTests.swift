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
}
