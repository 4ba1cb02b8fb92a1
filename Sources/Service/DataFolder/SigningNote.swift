import Glibc
import Identifiers
import JSON

/// What the last process had signed when it ended in good order: of these ledgers everything. What one of them has more at
/// the next start was not entered by the service.
///
/// It lies outside the databases, and is removed before a process enters anything. A process that is killed leaves none.
/// No backup has it, and in a copy of the folder it does not count.
struct SigningNote: Sendable {
    private let folder: String
    private var file: SecretFile { SecretFile(path: "\(folder)/\(FolderFile.signed)") }

    init(in folder: String) { self.folder = folder }

    /// To be called before this process signs the lock file.
    /// - Returns: how many entries the ledgers had. Empty where no note counts: none is there, or another process has had the
    ///   folder since, which may be of a version that knows no notes.
    func read() -> [OrganizationID: UInt64] {
        guard let bytes = try? file.read(), case .object(let members)? = try? JSONValue.parse(bytes) else { return [:] }
        var sizes = Self.sizes(members["closed"])
        if case .number(let lock)? = members["lock"], let signed = lockTime, Int64(lock.text) == signed {
            sizes.merge(Self.sizes(members["whole"])) { closed, _ in closed }
        }
        return sizes
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

    /// Replaces the note. On disk on return. To be called when this process will not sign the lock file again, unless `whole`
    /// is empty.
    ///
    /// - Parameters:
    ///   - whole: the ledgers of which everything is signed, and how many entries each has.
    ///   - closed: those that have more than an earlier note says, and how many that was: they are closed at every start.
    func write(whole: [OrganizationID: UInt64] = [:], closed: [OrganizationID: UInt64]) throws(DataFolderError) {
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
        }
        try file.write(writer.bytes + [UInt8(ascii: "\n")])
    }

    private func remove() throws(DataFolderError) {
        guard unlink(file.path) == 0 else {
            if errno == ENOENT { return }
            throw .cannotWrite(FolderFile.signed)
        }
        guard FolderSync.run(folder) == 0 else { throw .cannotWrite(FolderFile.signed) }
    }

    /// When the lock file was written, in nanoseconds since 1970. Every process that takes the folder writes it.
    private var lockTime: Int64? { FileStatus("\(folder)/\(FolderFile.lock)")?.writtenAt }
}
