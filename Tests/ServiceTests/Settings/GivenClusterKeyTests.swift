import Cryptography
import Foundation
import Glibc
import TestSupport
import Testing

@testable import Service

/// The key of a cluster that a setting names.
@Suite struct GivenClusterKeyTests {
    private static let text = String(repeating: "0f", count: 32)

    @Test("it is read once, also from a pipe, and then a reload is refused, which would find the pipe empty")
    func pipe() async throws {
        try await TemporaryFolder.with { folder in
            let path = folder.path(of: "key")
            #expect(mkfifo(path, 0o600) == 0)
            // It waits for a reader.
            Thread.detachNewThread { try? Data(Self.text.utf8).write(to: URL(filePath: path)) }
            let settings = try await ServiceSettings.load(flags: ["cluster-key": path], environment: [:], file: nil)
            let key = try FolderSecrets.clusterKey(Array(Self.text.utf8))
            for _ in 0..<2 {
                #expect(try ClusterSecrets.key(in: folder.path(of: "data"), given: settings.clusterKey) == key)
            }
            let error = #expect(throws: SettingError.self) { try settings.requireNoPipes(config: nil) }
            #expect(error?.name == "cluster-key")
        }
    }

    @Test("a file that is gone is enough for a folder with its own key, and for no other")
    func gone() throws {
        try TemporaryFolder.with { folder in
            let given = try GivenClusterKey(file: folder.path(of: "gone"))
            #expect(given.key == nil)
            let error = #expect(throws: SettingError.self) { try ClusterSecrets.key(in: folder.path, given: given) }
            #expect(error?.description == "cluster-key: must name a file that exists")
            try SecretFile(path: folder.path(of: "cluster.key")).write(Array(Self.text.utf8))
            #expect(try ClusterSecrets.key(in: folder.path, given: given) != nil)
        }
    }

    @Test("why a file with a secret cannot be read is told, and not its path, which may be the secret itself")
    func unreadable() throws {
        try TemporaryFolder.with { folder in
            let loop = folder.path(of: "loop")
            #expect(symlink(loop, loop) == 0)
            let faults = [
                (folder.path(of: "pa55word"), "exists"), (folder.path, ", not a folder or a device"),
                (loop, "that can be read: Too many levels of symbolic links"),
            ]
            for (path, fault) in faults {
                let error = #expect(throws: SettingError.self) { try SettingSecret.text(in: path, setting: "x") }
                #expect(error?.description.hasPrefix("x: must name a file") == true)
                #expect(error?.description.hasSuffix(fault) == true)
                #expect(error?.description.contains(folder.path) == false)
            }
        }
    }

    @Test("a secret is read without a byte order mark and the line ends around it, and a key without white space")
    func editors() throws {
        try TemporaryFolder.with { folder in
            let path = try folder.write("\u{FEFF}a secret \r\n", to: "secret")
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
            #expect(try SettingSecret.text(in: path, setting: "x") == "a secret ")
        }
        let key = try FolderSecrets.clusterKey(Array("\u{FEFF}\(Self.text)\r\n".utf8))
        #expect(try key == FolderSecrets.clusterKey(Array(Self.text.utf8)))
    }

    @Test(
        "a file that is there has a key, for this user alone",
        arguments: [
            (String(repeating: "0f", count: 32), 0o644, "chmod 600"),
            (String(repeating: "0f", count: 33), 0o600, "64 hexadecimal digits"), ("", 0o600, "64 hexadecimal digits"),
            (String(repeating: "0", count: (1 << 20) + 1), 0o600, "must name a file of at most 1048576 bytes"),
        ])
    func wrong(_ content: String, _ mode: Int, _ text: String) throws {
        try TemporaryFolder.with { folder in
            let path = try folder.write(content, to: "key")
            try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
            let error = #expect(throws: SettingError.self) { try GivenClusterKey(file: path) }
            #expect(error?.name == "cluster-key" && error?.expected.contains(text) == true)
        }
    }
}
