import Identifiers
import Interactions

extension OccurrenceBatch {
    /// Writes a batch into `bytes`. Replaces their content and reuses their capacity.
    /// - Parameters:
    ///   - isUnjudged: whether the node may not have known every withdrawal.
    ///   - id: makes the id of each occurrence.
    static func encode(
        _ occurrences: [Occurrence], isUnjudged: Bool = false, into bytes: inout [UInt8], id: () -> InteractionID
    ) {
        bytes.removeAll(keepingCapacity: true)
        bytes.append(isUnjudged ? versionUnjudged : version)
        for occurrence in occurrences { append(occurrence, id(), to: &bytes) }
    }

    /// A batch of occurrences that have ids already.
    static func encode(_ occurrences: [SpooledOccurrence], isUnjudged: Bool) -> [UInt8] {
        var bytes = [isUnjudged ? versionUnjudged : version]
        for spooled in occurrences { append(spooled.occurrence, spooled.id, to: &bytes) }
        return bytes
    }

    private static func append(_ occurrence: Occurrence, _ id: InteractionID, to bytes: inout [UInt8]) {
        append(id.rawValue, to: &bytes)
        append(occurrence.message.rawValue, to: &bytes)
        append(occurrence.recipient.rawValue, to: &bytes)
        append(occurrence.occurredAt.millisecondsSince1970, to: &bytes)
        append(occurrence.link.rawValue, to: &bytes)
        bytes.append(occurrence.kind.code)
        bytes.append(occurrence.source.code)
        bytes.append(occurrence.visitor.rawValue)
        let action = occurrence.action?.text.utf8
        // At most 255 bytes, by its type.
        bytes.append(UInt8(action?.count ?? 0))
        if let action { bytes.append(contentsOf: action) }
    }

    private static func append(_ number: some FixedWidthInteger, to bytes: inout [UInt8]) {
        withUnsafeBytes(of: number.bigEndian) { bytes.append(contentsOf: $0) }
    }
}
