import Glibc
import SystemPackage

/// A small file that only its owner may read. It is replaced whole: after a crash it has the old or the new content.
struct SecretFile: Sendable {
    /// The ending of an unfinished file's name.
    static let unfinishedEnding = ".new"

    let path: String
    /// In bytes; a longer file is damaged.
    var greatestSize = 1 << 20

    private var name: String { path.split(separator: "/").last.map(String.init) ?? path }

    /// - Returns: `nil` if there is no such file.
    /// - Throws: ``DataFolderError/unusable(_:)`` if it is a link, if other users can read it, or if another user owns
    ///   it.
    func read() throws(DataFolderError) -> [UInt8]? {
        // Without O_NONBLOCK the open of a FIFO would wait for a writer.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard descriptor >= 0 else {
            if errno == ENOENT { return nil }
            if errno == ELOOP { throw .unusable(name, .symbolicLink) }
            throw DataFolderError(code: errno) ?? .cannotRead(name)
        }
        defer { close(descriptor) }
        guard let status = FileStatus(descriptor: descriptor) else { throw .cannotRead(name) }
        let faults = status.faults(expecting: .regular, owner: geteuid())
        guard faults.isEmpty else { throw .unusable(faults.map { FolderFinding(name, $0) }) }
        return try readAll(descriptor)
    }

    private func readAll(_ descriptor: CInt) throws(DataFolderError) -> [UInt8] {
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 4096)
        while bytes.count <= greatestSize {
            let count = Glibc.read(descriptor, &chunk, chunk.count)
            guard count >= 0 else { throw .cannotRead(name) }
            if count == 0 { return bytes }
            bytes.append(contentsOf: chunk[..<count])
        }
        throw .unusable(name, .damaged)
    }

    /// Durable on return.
    func write(_ bytes: [UInt8]) throws(DataFolderError) {
        let temporary = path + Self.unfinishedEnding
        let descriptor = try makeUnfinished(temporary)
        let isWritten = bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) } == bytes.count
        let isDurable = isWritten && fsync(descriptor) == 0
        var reason = isDurable ? nil : DataFolderError(code: errno)
        close(descriptor)
        guard isDurable, Self.move(temporary, to: path, &reason), syncFolder(&reason) else {
            unlink(temporary)
            throw reason ?? .cannotWrite(name)
        }
    }

    /// The folder may have to grow for a new name.
    private static func move(_ temporary: String, to path: String, _ reason: inout DataFolderError?) -> Bool {
        guard rename(temporary, path) != 0 else { return true }
        reason = DataFolderError(code: errno)
        return false
    }

    /// Makes a new file. A file of this name from a failed write is removed; any other file is not changed.
    private func makeUnfinished(_ temporary: String) throws(DataFolderError) -> CInt {
        for _ in 0..<2 {
            let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
            if descriptor >= 0 { return descriptor }
            guard errno == EEXIST else { break }
            guard Self.isOwnLeftover(temporary), unlink(temporary) == 0 else {
                throw .unusable(name + Self.unfinishedEnding, .planted)
            }
        }
        throw DataFolderError(code: errno) ?? .cannotWrite(name)
    }

    /// Whether a file looks like one that ``write(_:)`` makes: regular, with one name, of this user and for this user
    /// alone.
    static func isOwnLeftover(_ path: String, owner: UInt32 = geteuid()) -> Bool {
        FileStatus(path)?.faults(expecting: .regular, owner: owner).isEmpty ?? false
    }

    /// A renamed file is durable once its folder is.
    private func syncFolder(_ reason: inout DataFolderError?) -> Bool {
        let folder = path.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/")
        let code = FolderSync.run(folder.isEmpty && path.hasPrefix("/") ? "/" : folder)
        reason = DataFolderError(code: code)
        return code == 0
    }
}
