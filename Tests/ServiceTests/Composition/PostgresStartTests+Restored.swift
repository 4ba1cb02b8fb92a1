import Cryptography
import Identifiers
import Logging
import Organizations
import PostgresClient
import SQL
import TestSupport
import Testing
import TrackingIDs
import UseCases

@testable import PostgresStorage
@testable import Service

/// A folder that is started on a database whose nodes are those of another one, as after a restore.
extension PostgresStartTests {
    private func nodes(_ location: PostgresLocation) throws -> [String] {
        let connection = try PostgresConnection(location, password: nil)
        defer { connection.close() }
        return try connection.statement("SELECT name || ' ' || slot FROM nodes ORDER BY slot").all { $0.text(0) }
    }

    /// As if nothing had been heard of any node for so long.
    private func silence(_ location: PostgresLocation, seconds: Int) throws {
        let connection = try PostgresConnection(location, password: nil)
        defer { connection.close() }
        try connection.run(script: "UPDATE nodes SET beat_at = now() - interval '\(seconds) seconds'")
    }

    @Test("a folder that is restored has the node of its name back once that is silent, and the lost one cannot return")
    func restored() async throws {
        try await withFolder { made, location in
            try await start(made, choice(location)) { try await create("acme", $0) }
            let copy = try made.copied()
            try copy.remove(FolderFile.node)
            let known = try nodes(location)
            #expect(known.count == 1)
            // However slow this machine is: a sign of life further in the future is none.
            try silence(location, seconds: -7)
            let early = await #expect(throws: NodeRefusal.self) { try await start(copy, choice(location)) { _ in } }
            #expect(early?.description.contains("was heard of in the last eight seconds") == true)
            try silence(location, seconds: 9)
            try await start(copy, choice(location)) { stored in
                let names = try await stored.stores.organizations.all().map(\.id.description)
                #expect(names == ["acme"])
            }
            #expect(try nodes(location) == known)
            let late = await #expect(throws: NodeRefusal.self) { try await start(made, choice(location)) { _ in } }
            #expect(late == .removed)
        }
    }

    @Test("a folder that was never served with does not get another's node, however silent that is")
    func notRestored() async throws {
        try await withFolder { made, location in
            let copy = try made.copied()
            try await start(made, choice(location)) { _ in }
            try silence(location, seconds: 9)
            try copy.write(made.bytes(of: FolderFile.clusterKey), to: FolderFile.clusterKey)
            let error = await #expect(throws: NodeRefusal.self) { try await start(copy, choice(location)) { _ in } }
            #expect(error?.description.contains("another node-name") == true)
            #expect(error?.description.contains("eight seconds") == false)
        }
    }

    private func run(_ script: String, _ location: PostgresLocation) throws {
        let connection = try PostgresConnection(location, password: nil)
        defer { connection.close() }
        try connection.run(script: script)
    }

    @Test("a start on a database that was put back drops no signing key of the folder, and enters it there again")
    func signingKey() async throws {
        try await withFolder { made, location in
            let later = try await start(made, choice(location)) { stored in
                try run("CREATE TABLE kept AS SELECT * FROM vault", location)
                var generator = SystemRandomNumberGenerator()
                let ring = try stored.keys.value.rotated(
                    at: stored.now().advanced(by: .seconds(60)), using: &generator)
                try await stored.keyRing.write(ring, replacing: stored.keys.value)
                return ring
            }
            try run("DELETE FROM vault; INSERT INTO vault SELECT * FROM kept; DROP TABLE kept", location)
            for _ in 0..<2 {
                try await start(made, choice(location)) { stored in
                    let ring = stored.keys.value
                    #expect(ring.keys.map(\.id) == [1, 2])
                    #expect(ring[2]?.secret == later.signingKey.secret)
                    #expect(ring.signingKey.id == 1, "nodes that start now may not have the other one yet")
                }
                // The second start finds the key in both.
                #expect(log.lines.filter { $0.level == .critical }.map(\.metadata) == [["keys": "2"]])
            }
            let stored = try KeyRingFile.Content(made.bytes(of: FolderFile.keyRing)).ring
            #expect(stored.keys.map(\.id) == [1, 2])
            #expect(!made.has("keyring.json.lost"))
        }
    }

    private func write(
        _ made: MadeFolder, _ location: PostgresLocation, _ change: (KeyRing, Timestamp) throws -> KeyRing
    ) async throws -> [UInt8] {
        try await start(made, choice(location)) { stored in
            let ring = stored.keys.value
            try await stored.keyRing.write(change(ring, stored.now()), replacing: ring)
        }
        return try made.bytes(of: FolderFile.keyRing)
    }

    @Test("a start with an earlier ring in its folder brings back no key that was retired meanwhile")
    func retiredKey() async throws {
        try await withFolder { made, location in
            var generator = SystemRandomNumberGenerator()
            let earlier = try await write(made, location) { ring, now in
                try ring.announcing(at: now, using: &generator)
            }
            _ = try await write(made, location) { ring, _ in try ring.retiring(2) }
            try made.write(earlier, to: FolderFile.keyRing)
            try await start(made, choice(location)) { stored in #expect(stored.keys.value.keys.map(\.id) == [1]) }
            #expect(!log.levels.contains(.critical))
            #expect(!made.has("keyring.json.lost"))
        }
    }

    @Test("a start after another node has announced a key in a database that was put back loses no signing key")
    func announcedElsewhere() async throws {
        try await withFolder { made, location in
            try await start(made, choice(location)) { _ in try run("CREATE TABLE kept AS SELECT * FROM vault", location)
            }
            let first = try made.bytes(of: FolderFile.keyRing)
            var generator = SystemRandomNumberGenerator()
            let later = try await write(made, location) { ring, now in
                try ring.rotated(at: now, using: &generator).rotated(at: now, using: &generator).retiring(2)
            }
            try run("DELETE FROM vault; INSERT INTO vault SELECT * FROM kept; DROP TABLE kept", location)
            // The other node has the ring that is in the database.
            try made.write(first, to: FolderFile.keyRing)
            _ = try await write(made, location) { ring, now in
                try ring.announcing(at: now.advanced(by: .seconds(60)), using: &generator)
            }
            try made.write(later, to: FolderFile.keyRing)
            try await start(made, choice(location)) { stored in
                #expect(stored.keys.value.keys.map(\.id) == [1, 3, 2])
                #expect(stored.keys.value.announcedKey?.id == 2)
            }
            #expect(log.lines.filter { $0.level == .critical }.map(\.metadata) == [["keys": "3"]])
        }
    }

    @Test("a start without the key of the other nodes, or with another one, enters no node")
    func clusterKey() async throws {
        try await withFolder { made, location in
            try await start(made, choice(location)) { _ in }
            let connection = try PostgresConnection(location, password: nil)
            try connection.run(script: "DELETE FROM nodes")
            connection.close()
            let copy = try made.copied()
            try copy.remove(FolderFile.node)
            try copy.remove(FolderFile.clusterKey)
            let missing = await #expect(throws: MissingClusterKey.self) {
                try await start(copy, choice(location)) { _ in }
            }
            #expect(missing?.description.contains("cluster.key") == true)
            #expect(try nodes(location) == [])
            var generator = SystemRandomNumberGenerator()
            try ClusterKeyFile(in: copy.path).write(SecretBytes(count: 32, using: &generator))
            await #expect(throws: WrongClusterKey.self) { try await start(copy, choice(location)) { _ in } }
            #expect(try nodes(location) == [])
        }
    }
}
