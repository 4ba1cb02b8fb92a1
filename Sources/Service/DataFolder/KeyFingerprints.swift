import JSON
import TrackingIDs

/// Which signing keys the service last wrote into `keyring.json`, by their fingerprints. A file that was changed, or an
/// earlier one that was put back, would open other links than those that were sent.
struct KeyFingerprints: Equatable {
    /// By their ids.
    let keys: [UInt8: KeyFingerprint]
    /// Of keys that were retired, in that order. The oldest are dropped when there are too many.
    let retired: [KeyFingerprint]

    /// - Parameter earlier: what was noted before; its retired keys stay noted, unless the ring has them again.
    init(of ring: KeyRing, after earlier: KeyFingerprints? = nil) {
        keys = Dictionary(uniqueKeysWithValues: ring.keys.map { ($0.id, $0.fingerprint) })
        let own = ring.retired ?? []
        let known = Set(own + keys.values)
        let all = (earlier?.retired ?? []).filter { !known.contains($0) } + own
        retired = Array(all.suffix(KeyRing.maximumRetiredCount))
    }

    /// What is wrong with a ring that was read from the file.
    ///
    /// The fingerprints are written after the file, so keys that they lack, and keys that the ring says were retired, are no
    /// fault: a process may have ended in between.
    func fault(of ring: KeyRing) -> FolderFinding.Fault? {
        let retiredSince = Set(ring.retired ?? [])
        let noted = keys.filter { !retiredSince.contains($0.value) }
        let faults = [
            ("missing", noted.keys.filter { ring[$0] == nil }),
            (
                "changed",
                noted.filter { id, fingerprint in ring[id].map { $0.fingerprint != fingerprint } ?? false }.map(\.key)
            ),
            ("there again although retired", ring.keys.filter { retired.contains($0.fingerprint) }.map(\.id)),
        ]
        let texts = faults.filter { !$0.1.isEmpty }.map { what, ids in
            "\(what): \(ids.sorted().map(String.init).joined(separator: ", "))"
        }
        return texts.isEmpty ? nil : .otherKeys(texts.joined(separator: "; "))
    }

    /// - Throws: the fault of a file that the service did not write.
    init(_ bytes: [UInt8]) throws(FolderFinding.Fault) {
        guard let document = try? JSONValue.parse(bytes), let (keys, retired) = try? Self.shape.read(document),
            let unique = Self.unique(keys)
        else { throw .damaged }
        (self.keys, self.retired) = (unique, retired)
    }

    var bytes: [UInt8] {
        var writer = JSONWriter()
        writer.object { writer in
            writer.key("keys")
            writer.array { writer in
                for (id, fingerprint) in keys.sorted(by: { $0.key < $1.key }) {
                    writer.object { writer in
                        writer.member("id", id)
                        writer.member("fingerprint", fingerprint.text)
                    }
                }
            }
            writer.key("retired")
            writer.array { writer in for fingerprint in retired { writer.string(fingerprint.text) } }
        }
        return writer.bytes + [UInt8(ascii: "\n")]
    }

    private static func unique(_ keys: [(UInt8, KeyFingerprint)]) -> [UInt8: KeyFingerprint]? {
        let fingerprints = Dictionary(keys) { first, _ in first }
        return fingerprints.count == keys.count ? fingerprints : nil
    }

    private static var shape: JSONShape<(keys: [(UInt8, KeyFingerprint)], retired: [KeyFingerprint])> {
        .object { fields throws(BodyProblems) in
            let keys = fields.required("keys", .array(of: key, count: 1...256))
            let retired = fields.required(
                "retired", .array(of: .string(KeyFingerprint.init(text:)), count: 0...KeyRing.maximumRetiredCount))
            try fields.finish()
            return (try keys.get(), try retired.get())
        }
    }

    private static var key: JSONShape<(UInt8, KeyFingerprint)> {
        .object { fields throws(BodyProblems) in
            let id = fields.required("id", JSONShape<UInt8>.integer(in: 0...255))
            let fingerprint = fields.required("fingerprint", .string(KeyFingerprint.init(text:)))
            try fields.finish()
            return (try id.get(), try fingerprint.get())
        }
    }
}

/// The file `key-fingerprints.json`.
struct KeyFingerprintsFile {
    private let file: SecretFile

    /// - Parameter folder: the path of the data folder.
    init(in folder: String) { file = SecretFile(path: "\(folder)/\(FolderFile.keyFingerprints)") }

    /// - Returns: `nil` if there is none, or none that can be read: that is a finding of the inspection.
    func read() throws(DataFolderError) -> KeyFingerprints? {
        guard let bytes = try file.read() else { return nil }
        return try? KeyFingerprints(bytes)
    }

    /// Must be called when the file of the ring is on disk. Durable on return.
    func note(_ ring: KeyRing) throws(DataFolderError) {
        let before = try read()
        let fingerprints = KeyFingerprints(of: ring, after: before)
        if fingerprints != before { try file.write(fingerprints.bytes) }
    }
}
