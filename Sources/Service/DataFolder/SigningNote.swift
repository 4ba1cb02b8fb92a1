import Glibc
import Identifiers
import JSON
import LocalFiles

/// The ledgers that the last process had signed completely when it ended normally. Entries that one of them has in
/// addition at the next start were not made by the service.
///
/// It is outside the databases, and is removed before a process appends anything. A killed process leaves no note. No
/// backup contains it, and in a copy of the folder it is ignored.
struct SigningNote: Sendable {
    /// In bytes: enough for some hundred thousand organizations.
    private static let maximumSize = 64 << 20

    private let folder: String
    private var file: SecretFile {
        SecretFile(path: "\(folder)/\(FolderFile.signed)", maximumSize: Self.maximumSize)
    }

    init(in folder: String) { self.folder = folder }

    /// What the last process had signed when it ended.
    struct Content: Equatable {
        /// How many entries each ledger had. Empty if no note is valid: there is none, or another process has used the
        /// folder since, possibly of a version that knows no notes.
        var sizes: [OrganizationID: UInt64] = [:]
        /// All organizations that there were; `nil` if that is not known.
        var organizations: Set<OrganizationID>?
    }

    /// Must be called before this process signs the lock file.
    /// - Throws: why the file cannot be read now. Without its content, this process would open ledgers that are closed,
    ///   and sign entries that the service did not make. A file that is damaged or not the service's own counts as
    ///   missing.
    func read() throws(DataFolderError) -> Content {
        let bytes: [UInt8]?
        do throws(DataFolderError) {
            bytes = try file.read()
        } catch {
            guard case .unusable = error else { throw error }
            return Content()
        }
        guard let bytes, case .object(let members)? = try? JSONValue.parse(bytes) else { return Content() }
        let closed = Self.sizes(members["closed"])
        guard isOfLastProcess(members) else { return Content(sizes: closed) }
        let whole = Self.sizes(members["whole"])
        return Content(
            sizes: closed.merging(whole) { closed, _ in closed },
            organizations: Self.names(members["others"]).map { $0.union(whole.keys).union(closed.keys) })
    }

    private func isOfLastProcess(_ members: JSONObject) -> Bool {
        guard case .number(let lock)? = members["lock"], let signed = lockTime else { return false }
        return Int64(lock.text) == signed
    }

    private static func sizes(_ value: JSONValue?) -> [OrganizationID: UInt64] {
        guard case .object(let members)? = value else { return [:] }
        var sizes: [OrganizationID: UInt64] = [:]
        for member in members.members {
            guard case .number(let size) = member.value, let id = try? OrganizationID(member.name) else { continue }
            sizes[id] = UInt64(size.text)
        }
        return sizes
    }

    private static func names(_ value: JSONValue?) -> Set<OrganizationID>? {
        guard case .array(let names)? = value else { return nil }
        return Set(names.compactMap { if case .string(let name) = $0 { try? OrganizationID(name) } else { nil } })
    }

    /// Replaces the note. On disk on return. Must be called when this process will not sign the lock file again, unless
    /// `whole` is empty.
    ///
    /// - Parameters:
    ///   - whole: the ledgers that are signed completely, and how many entries each has.
    ///   - closed: ledgers with more entries than an earlier note says, and that number: they are closed at every
    ///     start. An organization that the service did not make has 0.
    ///   - others: the other organizations.
    func write(
        whole: [OrganizationID: UInt64] = [:], closed: [OrganizationID: UInt64], others: Set<OrganizationID> = []
    ) throws(DataFolderError) {
        guard !whole.isEmpty || !closed.isEmpty else { return try remove() }
        var writer = JSONWriter()
        writer.object { writer in
            writer.member("lock", whole.isEmpty ? nil : lockTime)
            for (name, sizes) in [("whole", whole), ("closed", closed)] where !sizes.isEmpty {
                writer.key(name)
                writer.object { writer in
                    for (id, size) in sizes.sorted(by: { $0.key.description < $1.key.description }) {
                        writer.member(id.description, size)
                    }
                }
            }
            if !whole.isEmpty {
                writer.key("others")
                writer.array { writer in
                    for id in others.map(\.description).sorted() { writer.string(id) }
                }
            }
        }
        try file.write(writer.bytes + [UInt8(ascii: "\n")])
    }

    private func remove() throws(DataFolderError) {
        guard unlink(file.path) == 0 else {
            if errno == ENOENT { return }
            throw .writing(FolderFile.signed, failedWith: .last)
        }
        try FolderSync.run(folder, naming: FolderFile.signed)
    }

    /// The time of the last write to the lock file, in nanoseconds since 1970. Every process that takes the folder
    /// writes it.
    private var lockTime: Int64? {
        FileStatus("\(folder)/\(FolderFile.lock)").map { ClockReading.nanoseconds($0.writtenAt) }
    }
}
