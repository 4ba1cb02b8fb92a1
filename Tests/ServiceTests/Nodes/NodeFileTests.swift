import Foundation
import Identifiers
import LocalFiles
import Redirect
import StoragePorts
import TestSupport
import Testing

@testable import Service

@Suite struct NodeFileTests {
    @Test("a folder keeps its node and its slot")
    func kept() throws {
        try TemporaryFolder.with { folder in
            let file = NodeFile(in: folder.path)
            let first = try file.identity(name: NodeName("links-1"), version: "1")
            #expect(first.slot == nil)
            let slot = try #require(NodeSlot(rawValue: 7))
            try file.store(slot, of: first)
            let again = try NodeFile(in: folder.path).identity(name: NodeName("other"), version: "1")
            #expect(again.id == first.id)
            #expect(again.slot == slot)
            #expect(again.name.description == "other")
            #expect(again.place == first.place)
        }
    }

    @Test("an id that cannot be read is not taken for none")
    func unreadable() throws {
        try TemporaryFolder.with { folder in
            #expect(try NodeFile(in: folder.path).id == nil)
            let target = try folder.write("{}", to: "target")
            try FileManager.default.createSymbolicLink(
                atPath: folder.path(of: FolderFile.node), withDestinationPath: target)
            #expect(throws: DataFolderError.unusable(FolderFile.node, .symbolicLink)) {
                _ = try NodeFile(in: folder.path).id
            }
        }
    }

    @Test("another database than at the last start is noticed once, and the rest of the file is kept")
    func database() throws {
        try TemporaryFolder.with { folder in
            let file = NodeFile(in: folder.path)
            #expect(try !file.store(database: "7/1"), "there is no node")
            let node = try file.identity(name: nil, version: "1")
            let slot = try #require(NodeSlot(rawValue: 7))
            try file.store(slot, of: node)
            let changes = try ["7/1", "7/1", "7/2", "7/2", "8/2"].map { try file.store(database: $0) }
            #expect(changes == [false, false, true, false, true])
            try file.store(TimeNote(offset: 5, heardAt: .noon))
            #expect(try !NodeFile(in: folder.path).store(database: "8/2"))
            let again = try file.identity(name: nil, version: "1")
            #expect(again.id == node.id && again.slot == slot)
        }
    }

    @Test("the database that demands seals is kept, until a version that does not know it writes the file")
    func seals() throws {
        try TemporaryFolder.with { folder in
            let file = NodeFile(in: folder.path)
            try file.store(sealedDatabase: "7/1")
            #expect(try file.sealedDatabase == nil, "there is no node")
            let node = try file.identity(name: nil, version: "1")
            #expect(try file.sealedDatabase == nil)
            try file.store(sealedDatabase: "7/1")
            try file.store(TimeNote(offset: 5, heardAt: .noon))
            _ = try file.store(database: "7/2")
            #expect(try NodeFile(in: folder.path).sealedDatabase == "7/1")
            let content = #"{"node":"\#(node.id)","slot":3,"database":"7/1"}"#
            try SecretFile(path: folder.path(of: FolderFile.node)).write(Array(content.utf8))
            #expect(try NodeFile(in: folder.path).sealedDatabase == nil)
            #expect(try file.identity(name: nil, version: "1").slot?.rawValue == 3)
        }
    }

    @Test("the server's time is kept beside the node, until the machine is started again")
    func time() throws {
        try TemporaryFolder.with { folder in
            let file = NodeFile(in: folder.path)
            let note = TimeNote(offset: 1_764_000_000_123_456_789, heardAt: .noon)
            try file.store(note)
            #expect(file.time == nil, "there is no node")
            let node = try file.identity(name: nil, version: "1")
            #expect(file.time == nil)
            try file.store(note)
            let slot = try #require(NodeSlot(rawValue: 7))
            try file.store(slot, of: node)
            #expect(NodeFile(in: folder.path).time == note)
            let again = try file.identity(name: nil, version: "1")
            #expect(again.id == node.id && again.slot == slot)
            let first = ClockGap(from: .distantPast, through: .noon)
            let gap = ClockGap(from: .noon, through: .noon + 3000)
            let other = TimeNote(offset: -5, heardAt: .noon + 1, gaps: [first, gap, gap])
            try file.store(other)
            #expect(file.time == other)
            #expect(try file.identity(name: nil, version: "1").slot == slot)
        }
    }

    @Test(
        "a time of another start of the machine, or one that cannot be read, is none, and the node is the same",
        arguments: [
            #"{"boot":"other","offset":1,"heardAt":1}"#, #"{"boot":"","offset":1,"heardAt":1}"#, "null", "[]", "{}",
            #"{"boot":"BOOT","offset":1.5,"heardAt":1}"#, #"{"boot":"BOOT","heardAt":1}"#,
            #"{"boot":"BOOT","offset":1}"#, #"{"boot":"BOOT","offset":1,"heardAt":1,"gaps":1}"#,
            #"{"boot":"BOOT","offset":1,"heardAt":1,"gaps":[{"from":1}]}"#,
            #"{"boot":"BOOT","offset":1,"heardAt":1,"gaps":[{"from":"1","through":2}]}"#,
        ])
    func noTime(_ time: String) throws {
        try TemporaryFolder.with { folder in
            let id = "00000000000000000000000000000001"
            let content = #"{"node":"\#(id)","slot":3,"time":\#(time.replacing("BOOT", with: NodeFile.bootID))}"#
            try SecretFile(path: folder.path(of: FolderFile.node)).write(Array(content.utf8))
            let file = NodeFile(in: folder.path)
            #expect(file.time == nil)
            #expect(try file.identity(name: nil, version: "1").slot?.rawValue == 3)
        }
    }

    @Test("a copy of the folder is in another place, and is the same node")
    func copy() throws {
        try TemporaryFolder.with { one in
            try TemporaryFolder.with { other in
                let first = try NodeFile(in: one.path).identity(name: nil, version: "1")
                try SecretFile(path: other.path(of: FolderFile.node)).write(
                    try #require(try SecretFile(path: one.path(of: FolderFile.node)).read()))
                let second = try NodeFile(in: other.path).identity(name: nil, version: "1")
                #expect(second.id == first.id)
                #expect(second.place != first.place)
            }
        }
    }

    @Test("a copy under the same name and path is in another place: on another volume, and after another start")
    func clone() throws {
        try TemporaryFolder.with { folder in
            let place = try NodeFile(in: folder.path).identity(name: nil, version: "1").place
            let boot = try String(contentsOfFile: "/proc/sys/kernel/random/boot_id", encoding: .utf8)
            #expect(place.hasSuffix(boot.trimmingCharacters(in: .whitespacesAndNewlines)))
            let identity = try #require(FileStatus(following: folder.path)).identity
            #expect(place.contains(" \(identity.device) \(identity.inode) "))
        }
    }

    @Test(
        "a file that no node has written is refused",
        arguments: [
            "", "{}", "[]", #"{"node":"x"}"#, #"{"node":"00000000000000000000000000000000","slot":128}"#,
            #"{"node":"00000000000000000000000000000000","slot":"1"}"#, "\u{0}",
        ])
    func damaged(_ content: String) throws {
        try TemporaryFolder.with { folder in
            try SecretFile(path: folder.path(of: FolderFile.node)).write(Array(content.utf8))
            #expect(throws: DataFolderError.unusable(FolderFile.node, .damaged)) {
                try NodeFile(in: folder.path).identity(name: nil, version: "1")
            }
        }
    }

    @Test(
        "names are those of hosts",
        arguments: [("links-1", true), ("a.b_c", true), ("", false), ("a b", false), ("a/b", false), ("ä", false)])
    func names(_ name: String, _ isName: Bool) {
        #expect((NodeName(name) != nil) == isName)
        #expect(NodeName(String(repeating: "a", count: 63)) != nil)
        #expect(NodeName(String(repeating: "a", count: 64)) == nil)
    }
}
