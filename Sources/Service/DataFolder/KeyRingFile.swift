import Cryptography
import Identifiers
import JSON
import TrackingIDs

/// The key ring as a JSON file:
/// `{"folder":"…","keys":[{"id":1,"secret":"…","createdAt":"…","signedUntil":null,"longestLifetimeDays":180}],
/// "retired":["…"]}`, the secrets and the fingerprints of retired keys in base64url. A key has `longestLifetimeDays`, and the
/// ring `retired`, if that was noted.
struct KeyRingFile: Sendable {
    let file: SecretFile
    /// The data folder that the ring belongs to.
    let folder: FolderID

    private let fingerprints: KeyFingerprintsFile

    init(in path: String, folder: FolderID) {
        fingerprints = KeyFingerprintsFile(in: path)
        file = SecretFile(path: "\(path)/\(FolderFile.keyRing)")
        self.folder = folder
    }

    /// - Throws: ``DataFolderError/unusable(_:)``, also if there is no such file.
    func read() throws(DataFolderError) -> KeyRing {
        try file.read { bytes throws(FolderFinding.Fault) in try Content(bytes).ring }
    }

    /// Durable on return.
    func write(_ ring: KeyRing) throws(DataFolderError) {
        try file.write(Self.bytes(of: ring, folder: folder))
        // The ring is stored. If its fingerprints cannot be noted now, the next start notes them.
        try? note(ring)
    }

    /// Notes the fingerprints of a ring that is in the file. Durable on return.
    func note(_ ring: KeyRing) throws(DataFolderError) { try fingerprints.note(ring) }

    /// Keeps a ring that no file has otherwise, in the first free one of `keyring.json.lost`, `keyring.json.lost-2` and so
    /// on. Durable on return.
    func keep(_ ring: KeyRing) throws(DataFolderError) {
        let bytes = Self.bytes(of: ring, folder: folder)
        var number = 1
        while true {
            let kept = SecretFile(path: "\(file.path).lost\(number == 1 ? "" : "-\(number)")")
            guard let found = try kept.read() else { return try kept.write(bytes) }
            if found == bytes { return }
            number += 1
        }
    }

    /// The content of the file for a ring.
    static func bytes(of ring: KeyRing, folder: FolderID) -> [UInt8] {
        var writer = JSONWriter()
        writer.object { writer in
            writer.member("folder", folder.description)
            writer.key("keys")
            writer.array { writer in
                for key in ring.keys {
                    writer.object { writer in
                        writer.member("id", key.id)
                        writer.member(
                            "secret",
                            key.secret.withSpan { span in Base64URL.encode(span.withUnsafeBufferPointer { Array($0) }) }
                        )
                        writer.member("createdAt", key.createdAt.rfc3339)
                        writer.member("signedUntil", key.signedUntil?.rfc3339)
                        if let days = key.maximumLifetimeInDays { writer.member("longestLifetimeDays", days) }
                    }
                }
            }
            guard let retired = ring.retired else { return }
            writer.key("retired")
            writer.array { writer in for fingerprint in retired { writer.string(fingerprint.text) } }
        }
        return writer.bytes + [UInt8(ascii: "\n")]
    }

    /// The content of a file: the ring, and the folder that it was written for. Files of the first version name no
    /// folder.
    struct Content {
        let ring: KeyRing
        let folder: FolderID?

        init(_ bytes: [UInt8]) throws(FolderFinding.Fault) {
            do {
                let (folder, keys, retired) = try KeyRingFile.shape.read(try JSONValue.parse(bytes))
                ring = try KeyRing(keys: keys, retired: retired)
                self.folder = try folder.map { text in
                    guard let id = FolderID(text) else { throw FolderFinding.Fault.damaged }
                    return id
                }
            } catch {
                throw .damaged
            }
        }
    }

    private static var shape: JSONShape<(folder: String?, keys: [KeyRing.Key], retired: [KeyFingerprint]?)> {
        .object { fields throws(BodyProblems) in
            let folder = fields.optional("folder", .string)
            let keys = fields.required("keys", .array(of: key, count: 1...256))
            let retired = fields.optional(
                "retired", .array(of: .string(KeyFingerprint.init(text:)), count: 0...KeyRing.maximumRetiredCount))
            try fields.finish()
            return (folder, try keys.get(), retired)
        }
    }

    private static var key: JSONShape<KeyRing.Key> {
        .object { fields throws(BodyProblems) in
            let id = fields.required("id", JSONShape<UInt8>.integer(in: 0...255))
            let secret = fields.required("secret", .string(Base64URL.decode))
            let createdAt = fields.required("createdAt", .string(Timestamp.init(rfc3339:)))
            let signedUntil = fields.optional("signedUntil", .string(Timestamp.init(rfc3339:)))
            let days = fields.optional("longestLifetimeDays", JSONShape<Int>.integer(in: 1...3650))
            try fields.finish()
            return KeyRing.Key(
                id: try id.get(), secret: SecretBytes(try secret.get()), createdAt: try createdAt.get(),
                signedUntil: signedUntil, maximumLifetimeInDays: days)
        }
    }
}
