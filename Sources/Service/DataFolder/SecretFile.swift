import Glibc

/// A small file that only its owner may read. It is replaced whole: after a crash there is the old one or the new one.
struct SecretFile: Sendable {
    let path: String

    private static let maximumSize = 1 << 20

    private var name: String { path.split(separator: "/").last.map(String.init) ?? path }

    /// - Returns: `nil` when there is no such file.
    func read() throws(DataFolderError) -> [UInt8]? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            if errno == ENOENT { return nil }
            throw .cannotRead(name)
        }
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 4096)
        while bytes.count <= Self.maximumSize {
            let count = Glibc.read(descriptor, &chunk, chunk.count)
            guard count >= 0 else { throw .cannotRead(name) }
            if count == 0 { return bytes }
            bytes.append(contentsOf: chunk[..<count])
        }
        throw .damaged(name)
    }

    /// Durable on return.
    func write(_ bytes: [UInt8]) throws(DataFolderError) {
        let temporary = path + ".new"
        let descriptor = open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw .cannotWrite(name) }
        let isWritten = bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) } == bytes.count
        let isDurable = isWritten && fsync(descriptor) == 0
        let isFull = !isDurable && (errno == ENOSPC || errno == EDQUOT)
        close(descriptor)
        guard isDurable, rename(temporary, path) == 0, syncFolder() else {
            unlink(temporary)
            throw isFull ? .full : .cannotWrite(name)
        }
    }

    /// A renamed file is durable when its folder is.
    private func syncFolder() -> Bool {
        let folder = path.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/")
        let descriptor = open(folder.isEmpty ? "/" : folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        return fsync(descriptor) == 0
    }
}
