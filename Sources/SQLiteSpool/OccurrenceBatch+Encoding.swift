import Identifiers
import Interactions

extension OccurrenceBatch {
    /// Writes a batch into `bytes`. Replaces their content and reuses their capacity.
    /// - Parameters:
    ///   - certainty: how much the node knew.
    ///   - id: makes the id of each occurrence.
    static func encode(
        _ occurrences: [Occurrence], _ certainty: SpooledOccurrence.Certainty = .judged, into bytes: inout [UInt8],
        id: () -> InteractionID
    ) {
        bytes.removeAll(keepingCapacity: true)
        bytes.append(version(of: certainty))
        for occurrence in occurrences { append(occurrence, id(), to: &bytes) }
    }

    /// A batch of occurrences that have ids already.
    static func encode(_ occurrences: [SpooledOccurrence], _ certainty: SpooledOccurrence.Certainty) -> [UInt8] {
        var bytes = [version(of: certainty)]
        for spooled in occurrences { append(spooled.occurrence, spooled.id, to: &bytes) }
        return bytes
    }

    /// The fields of fixed length are appended at once: every click is encoded here.
    private static func append(_ occurrence: Occurrence, _ id: InteractionID, to bytes: inout [UInt8]) {
        let action = occurrence.action?.text.utf8
        withUnsafeTemporaryAllocation(byteCount: fixedLength, alignment: 1) { fields in
            func store(_ number: some FixedWidthInteger & BitwiseCopyable, at place: Int) {
                fields.storeBytes(of: number.bigEndian, toByteOffset: place, as: type(of: number))
            }
            store(id.rawValue, at: 0)
            store(occurrence.message.rawValue, at: 8)
            store(occurrence.recipient.rawValue, at: 16)
            store(occurrence.occurredAt.millisecondsSince1970, at: 24)
            store(occurrence.link.rawValue, at: 32)
            store(occurrence.kind.code, at: 34)
            store(occurrence.source.code, at: 35)
            store(occurrence.visitor.rawValue, at: 36)
            // At most 255 bytes, by its type.
            store(UInt8(action?.count ?? 0), at: 37)
            bytes.append(contentsOf: fields)
        }
        if let action { bytes.append(contentsOf: action) }
    }
}
