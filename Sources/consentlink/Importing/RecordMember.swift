/// The members of a consent record by their JSON pointers, such as `/evidence/notice`. Other names are what stands in a
/// row, and may be a recipient: no reason of a refusal tells them.
enum RecordMember {
    private static let pointers = Set(
        ConsentTable.columns.flatMap { column in
            let names = column.split(separator: ".")
            return names.indices.map { "/" + names[...$0].joined(separator: "/") }
        })

    static func isKnown(_ pointer: String) -> Bool { pointers.contains(pointer) }

    /// - Returns: the member around `pointer`; `nil` where that is the record.
    static func nearest(to pointer: String) -> String? {
        var pointer = pointer[...]
        while let slash = pointer.lastIndex(of: "/") {
            pointer = pointer[..<slash]
            if isKnown(String(pointer)) { return String(pointer) }
        }
        return nil
    }

    /// What the service says of a record.
    ///
    /// - Parameter pointer: in the record; empty is all of it.
    static func fault(at pointer: String, _ detail: String) -> String {
        let detail = detail.isEmpty ? "does not fit" : detail
        guard !pointer.isEmpty else { return detail }
        guard !isKnown(pointer) else { return "\(pointer) \(detail)" }
        return "\(nearest(to: pointer) ?? "it") has an unknown member"
    }
}
