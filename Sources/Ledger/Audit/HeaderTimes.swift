import Identifiers

/// The times in the headers of an archive; all must be the second in which it was made.
struct HeaderTimes {
    /// Seconds since 1970; `nil` before the first header.
    private var first: UInt64?
    /// The first file whose time differs from that of the first file.
    private var other: String?
    private var name = ""

    mutating func add(_ header: TarHeader) {
        if first == nil { (first, name) = (header.modified, header.name) }
        if header.modified != first, other == nil { other = header.name }
    }

    /// - Parameter instant: the time in the manifest.
    func require(_ instant: String) throws(AuditFault) {
        if let other { throw .headerTime(other) }
        let seconds = Timestamp(canonical: Array(instant.utf8)[...]).map { $0.millisecondsSince1970 / 1000 } ?? 0
        guard first == UInt64(clamping: seconds) else { throw .headerTime(name) }
    }
}
