import Foundation
import Identifiers
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
            try file.note(slot, of: first)
            let again = try NodeFile(in: folder.path).identity(name: NodeName("other"), version: "1")
            #expect(again.id == first.id)
            #expect(again.slot == slot)
            #expect(again.name.description == "other")
            #expect(again.place == first.place)
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
