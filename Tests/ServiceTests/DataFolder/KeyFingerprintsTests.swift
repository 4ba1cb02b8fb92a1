import Cryptography
import Identifiers
import TestSupport
import Testing
import TrackingIDs
import UseCases

@testable import Service

/// A ring of signing keys is told from every other one that could stand in its place.
@Suite struct KeyFingerprintsTests {
    private func ring(of made: MadeFolder) throws -> KeyRing {
        try KeyRingFile.Content(made.bytes(of: "keyring.json")).ring
    }

    private func write(_ ring: KeyRing, to made: MadeFolder) throws {
        try KeyRingFile(in: made.path, folder: made.id).write(ring)
    }

    private func rotated(_ ring: KeyRing) throws -> KeyRing {
        var generator = SecureRandom()
        return try ring.rotated(at: .noon, using: &generator)
    }

    @Test("one changed character of a secret is found, whichever it is")
    func changedSecret() throws {
        try MadeFolder.with { made in
            let bytes = try made.bytes(of: "keyring.json")
            let text = String(decoding: bytes, as: UTF8.self)
            let begin = try #require(text.firstRange(of: #""secret":""#)).upperBound.utf16Offset(in: text)
            for place in [begin, begin + 21, begin + 41] {
                var changed = bytes
                changed[place] = changed[place] == UInt8(ascii: "A") ? UInt8(ascii: "B") : UInt8(ascii: "A")
                try made.write(changed, to: "keyring.json")
                let error = DataFolderError.unusable("keyring.json", .otherKeys("changed: 1"))
                #expect(throws: error) { try made.open() }
            }
            try made.write(bytes, to: "keyring.json")
            try made.open()
        }
    }

    @Test("an older ring is named with the key that it lacks, and with the one that was retired")
    func older() throws {
        try MadeFolder.with { made in
            let first = try made.bytes(of: "keyring.json")
            try write(rotated(ring(of: made)), to: made)
            let second = try made.bytes(of: "keyring.json")
            try made.write(first, to: "keyring.json")
            #expect(
                try FolderInspection(of: made.path).findings == [
                    FolderFinding("keyring.json", .otherKeys("missing: 2"))
                ])
            try made.write(second, to: "keyring.json")
            try write(ring(of: made).retiring(1), to: made)
            try made.open()
            try made.write(second, to: "keyring.json")
            let error = DataFolderError.unusable("keyring.json", .otherKeys("there again although retired: 1"))
            #expect(throws: error) { try made.open() }
        }
    }

    @Test("a process that ended between the ring and its fingerprints leaves a folder that starts")
    func interrupted() throws {
        try MadeFolder.with { made in
            let fingerprints = try made.bytes(of: "key-fingerprints.json")
            let rotated = try rotated(ring(of: made))
            try write(rotated, to: made)
            try made.write(fingerprints, to: "key-fingerprints.json")
            try made.open()
            // Key 1 is noted and retired.
            try write(rotated.retiring(1), to: made)
            try made.write(fingerprints, to: "key-fingerprints.json")
            try made.open()
        }
    }

    @Test("the operator may accept a ring that lacks keys, and none that the service wrote")
    func accepted() throws {
        try MadeFolder.with { made in
            let first = try made.bytes(of: "keyring.json")
            #expect(throws: DataFolderError.keyRingIsOwn) { try DataFolderTask.acceptKeyRing(at: made.path) }
            try write(rotated(ring(of: made)), to: made)
            try made.write(first, to: "keyring.json")
            try DataFolderTask.acceptKeyRing(at: made.path)
            try made.open()
            try made.write(Array(first.dropLast(10)), to: "keyring.json")
            let damaged = DataFolderError.unusable("keyring.json", .damaged)
            #expect(throws: damaged) { try DataFolderTask.acceptKeyRing(at: made.path) }
        }
    }

    @Test("a folder without fingerprints starts, as a restored backup and one of an earlier version do")
    func none() throws {
        try MadeFolder.with { made in
            try made.remove("key-fingerprints.json")
            try made.open()
            for content in [[], Array("{}\n".utf8), Array(#"{"keys":[],"retired":[]}"#.utf8)] {
                try made.write(content, to: "key-fingerprints.json")
                #expect(throws: DataFolderError.unusable("key-fingerprints.json", .damaged)) { try made.open() }
                try made.remove("key-fingerprints.json")
            }
        }
    }

    @Test("a node of a server starts with another ring, because it takes over the one of the database, and says so")
    func onServer() throws {
        try MadeFolder.with(.postgres) { made in
            let first = try made.bytes(of: "keyring.json")
            try write(rotated(ring(of: made)), to: made)
            try made.write(first, to: "keyring.json")
            let folder = try DataFolder(at: made.path, storage: .postgres, now: .noon)
            #expect(folder.events == [.otherSigningKeys("missing: 2")])
        }
    }

    @Test("fingerprints are read as they were written, and those of retired keys stay")
    func roundTrip() throws {
        var generator = SecureRandom()
        let ring = try rotated(KeyRing(at: .noon, using: &generator))
        let retired = try ring.retiring(1)
        let fingerprints = KeyFingerprints(of: retired)
        #expect(try KeyFingerprints(fingerprints.bytes) == fingerprints)
        let other = KeyRing(at: .noon, using: &generator)
        #expect(KeyFingerprints(of: other, after: fingerprints).retired == fingerprints.retired)
        #expect(
            KeyFingerprints(of: ring, after: fingerprints).retired == [],
            "it has the key again, by the service's own hand")
    }
}
