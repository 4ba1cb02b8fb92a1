/// The members of a consent record by their JSON pointers, such as `/evidence/notice`. Other names come from the row,
/// and may be a recipient: no reason for a refusal contains them.
enum RecordMember {
    private static let pointers = Set(
        ConsentTable.columns.flatMap { column in
            let names = column.split(separator: ".")
            return names.indices.map { "/" + names[...$0].joined(separator: "/") }
        })

    static func isKnown(_ pointer: String) -> Bool { pointers.contains(pointer) }

    /// - Returns: the member that contains `pointer`; `nil` if that is the record.
    static func nearest(to pointer: String) -> String? {
        var pointer = pointer[...]
        while let slash = pointer.lastIndex(of: "/") {
            pointer = pointer[..<slash]
            if isKnown(String(pointer)) { return String(pointer) }
        }
        return nil
    }

    /// The service's fault of a record.
    ///
    /// - Parameter pointer: a pointer within the record; empty for the whole record.
    static func fault(at pointer: String, _ detail: String) -> String {
        let detail = detail.isEmpty ? "does not fit" : detail
        guard !pointer.isEmpty else { return detail }
        guard !isKnown(pointer) else { return "\(pointer) \(detail)" }
        return "\(nearest(to: pointer) ?? "it") has an unknown member"
    }
}
