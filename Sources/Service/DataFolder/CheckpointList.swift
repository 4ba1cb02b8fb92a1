import Glibc
import Identifiers

/// Of which organizations a folder ever had a checkpoint, an id on a line. A checkpoint of one of them that is not there
/// was removed or lost. Of any other, another node has signed and this folder never had one.
///
/// Where this file is missing, every organization counts as one of them. Nothing but ``make(_:)`` makes it.
struct CheckpointList {
    /// No file of an organization is called so: theirs have an ending.
    static let name = "organizations"
    /// In bytes: a million organizations.
    private static let greatestSize = 64 << 20

    private let file: SecretFile

    /// - Parameter folder: of the checkpoints.
    init(in folder: String) { file = SecretFile(path: "\(folder)/\(Self.name)", greatestSize: Self.greatestSize) }

    func mayHave(_ organization: OrganizationID) throws(DataFolderError) -> Bool {
        guard let names = try names() else { return true }
        return names.contains(organization.description)
    }

    /// Adds `organizations`, in a new file where there is none. Not to be called at once with ``add(_:)``.
    func make(_ organizations: Set<OrganizationID>) throws(DataFolderError) {
        let before = try names()
        let all = (before ?? []).union(organizations.map(\.description))
        if all != before { try file.write(Array(all.sorted().map { "\($0)\n" }.joined().utf8)) }
    }

    /// Adds an organization to a file that is there. Durable on return. May be called at once from anywhere.
    func add(_ organization: OrganizationID) throws(DataFolderError) {
        let descriptor = open(file.path, O_WRONLY | O_APPEND | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard descriptor >= 0 else {
            if errno == ENOENT { return }
            throw DataFolderError(code: errno) ?? .cannotWrite(Self.name)
        }
        defer { close(descriptor) }
        // Begins with the end of a line: the one before may have been cut by a crash.
        let line = Array("\n\(organization)\n".utf8)
        let count = line.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
        // A disk takes a part only when it has no room for the rest.
        if count >= 0, count < line.count { errno = ENOSPC }
        guard count == line.count, fsync(descriptor) == 0 else {
            throw DataFolderError(code: errno) ?? .cannotWrite(Self.name)
        }
    }

    func copy(into folder: String) throws(DataFolderError) {
        guard let content = try file.read() else { return }
        try SecretFile(path: "\(folder)/\(Self.name)").write(content)
    }

    private func names() throws(DataFolderError) -> Set<String>? {
        try file.read().map { Set(String(decoding: $0, as: UTF8.self).split(separator: "\n").map(String.init)) }
    }
}
