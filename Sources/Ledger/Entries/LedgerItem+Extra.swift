import Cryptography
import JSON

extension LedgerItem {
    /// The extra data of a proof of the entry: the entry and its opening.
    ///
    ///     {"entry":{…},"private":{…},"salt":"…"}
    package var extra: [UInt8] {
        var writer = JSONWriter(capacity: entry.count + 512)
        writer.object { writer in
            writer.key("entry")
            writer.raw(entry)
            if let opening {
                writer.key("private")
                writer.raw(opening.fields)
                writer.member("salt", Base64.encode(opening.salt.bytes.span))
            }
        }
        return writer.bytes
    }
}
