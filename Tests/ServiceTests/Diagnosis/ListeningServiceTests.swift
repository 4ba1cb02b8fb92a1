import Glibc
import TestSupport
import Testing

@testable import Service

@Suite struct ListeningServiceTests {
    @Test("the process that listens on a port is found, if it has a folder")
    func found() throws {
        try TemporaryFolder.with { folder in
            let lock = try FolderLock(in: folder.path)
            lock.sign()
            let socket = try ListeningSocket(ListenAddress(host: "127.0.0.1", port: 0), setting: "listen")
            let accepting = try #require(try socket.listen())
            defer { close(accepting) }
            let port = try #require(socket.bound?.port)
            for host in ["127.0.0.1", "localhost", "LOCALHOST", "0.0.0.0"] {
                // Which folder it is cannot be said here: other tests of this process have folders, too.
                #expect(ListeningService(at: "http://\(host):\(port)")?.process == getpid())
            }
            #expect(ListeningService(at: "http://[::1]:\(port)") == nil, "another one may listen there")
        }
    }

    @Test(
        "nothing is said of a port that nobody listens on, and of another machine",
        arguments: ["http://127.0.0.1:1", "http://192.0.2.1:8081", "nowhere", ""])
    func unknown(_ base: String) { #expect(ListeningService(at: base) == nil) }

    @Test("a folder is told from another by what it is, and not by its name")
    func held() throws {
        try TemporaryFolder.with { folder in
            let diagnosis = FolderDiagnosis(data: folder.path, backups: folder.path, now: .noon)
            #expect(diagnosis.isHeld(by: .init(process: 1, folder: folder.path + "/.")))
            #expect(!diagnosis.isHeld(by: .init(process: 1, folder: "/")))
            #expect(!diagnosis.isHeld(by: .init(process: 1, folder: folder.path(of: "nowhere"))))
        }
    }
}
