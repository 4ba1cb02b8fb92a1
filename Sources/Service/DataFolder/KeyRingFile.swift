import Cryptography
import Identifiers
import JSON
import TrackingIDs

/// The key ring as a JSON file: `{"keys":[{"id":1,"secret":"…","createdAt":"…","signedUntil":null}]}`, the secrets in
/// base64url.
struct KeyRingFile: Sendable {
    let file: SecretFile

    /// - Returns: `nil` when there is none yet.
    func read() throws(DataFolderError) -> KeyRing? {
        guard let bytes = try file.read() else { return nil }
        do {
            let keys = try Self.shape.read(try JSONValue.parse(bytes))
            return try KeyRing(keys: keys)
        } catch {
            throw .damaged("keyring.json")
        }
    }

    /// Durable on return.
    func write(_ ring: KeyRing) throws(DataFolderError) {
        var writer = JSONWriter()
        writer.object { writer in
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
                    }
                }
            }
        }
        try file.write(writer.bytes + [UInt8(ascii: "\n")])
    }

    private static var shape: JSONShape<[KeyRing.Key]> {
        .object { fields throws(BodyProblems) in
            let keys = fields.required("keys", .array(of: key, count: 1...256))
            try fields.finish()
            return try keys.get()
        }
    }

    private static var key: JSONShape<KeyRing.Key> {
        .object { fields throws(BodyProblems) in
            let id = fields.required("id", JSONShape<UInt8>.integer(in: 0...255))
            let secret = fields.required("secret", .string(Base64URL.decode))
            let createdAt = fields.required("createdAt", .string(Timestamp.init(rfc3339:)))
            let signedUntil = fields.optional("signedUntil", .string(Timestamp.init(rfc3339:)))
            try fields.finish()
            return KeyRing.Key(
                id: try id.get(), secret: SecretBytes(try secret.get()), createdAt: try createdAt.get(),
                signedUntil: signedUntil)
        }
    }
}
