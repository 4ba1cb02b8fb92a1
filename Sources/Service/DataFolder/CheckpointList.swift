import Glibc
import Identifiers
import LocalFiles
import SystemPackage

/// The organizations of which a folder ever had a checkpoint, one id per line. If the checkpoint of one of them is
/// missing, it was removed or lost, or could not be written. For any other organization another node signed, and this
/// folder never had one.
///
/// If this file is missing, every organization counts as one of them. Only ``make(_:)`` makes it.
struct CheckpointList {
    /// No organization's file has this name: those have an ending.
    static let name = "organizations"
    /// The file in a data folder.
    static let place = "\(FolderFile.checkpoints)/\(name)"
    /// In bytes: enough for a million organizations.
    private static let maximumSize = 64 << 20

    private let file: SecretFile

    /// - Parameter folder: the folder of the checkpoints.
    init(in folder: String) { file = SecretFile(path: "\(folder)/\(Self.name)", maximumSize: Self.maximumSize) }

    func mayHave(_ organization: OrganizationID) throws(DataFolderError) -> Bool {
        guard let content = try file.read() else { return true }
        return content.split(separator: UInt8(ascii: "\n")).contains { $0.elementsEqual(organization.description.utf8) }
    }

    /// Adds `organizations`, in a new file if there is none. Must not run at the same time as ``add(_:)``.
    func make(_ organizations: Set<OrganizationID>) throws(DataFolderError) {
        let before = try names()
        let all = (before ?? []).union(organizations.map(\.description))
        if all != before { try file.write(Array(all.sorted().map { "\($0)\n" }.joined().utf8)) }
    }

    /// Adds an organization to an existing file. Durable on return. May be called on any thread at any time.
    func add(_ organization: OrganizationID) throws(DataFolderError) {
        let descriptor = open(file.path, O_WRONLY | O_APPEND | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard descriptor >= 0 else {
            if errno == ENOENT { return }
            throw .writing(Self.place, failedWith: .last)
        }
        defer { close(descriptor) }
        // Begins with a line feed: a crash may have cut the line before.
        do throws(Errno) {
            try FileDescriptor(rawValue: descriptor).writeWhole(Array("\n\(organization)\n".utf8))
            guard fsync(descriptor) == 0 else { throw .last }
        } catch {
            throw .writing(Self.place, failedWith: error)
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
