import Glibc
import LocalFiles
import SystemPackage

/// A small file that only its owner may read. It is replaced whole, so that after a crash it has the old or the new
/// content, or has lines added to it.
struct SecretFile: Sendable {
    /// In bytes.
    static let greatestSize = 1 << 20

    let path: String
    /// In bytes; a longer file is damaged.
    var maximumSize = greatestSize

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
            throw .reading(name, failedWith: .last)
        }
        defer { close(descriptor) }
        _ = try trusted(descriptor)
        let bytes: [UInt8]
        do throws(Errno) {
            bytes = try FileContent.read(descriptor, atMost: maximumSize + 1)
        } catch {
            throw .reading(name, failedWith: error)
        }
        guard bytes.count <= maximumSize else { throw .unusable(name, .damaged) }
        return bytes
    }

    /// The content of a file that must be there.
    /// - Throws: ``DataFolderError/unusable(_:)``, also if it is missing, or if `parse` finds a fault.
    func read<Value>(
        _ parse: ([UInt8]) throws(FolderFinding.Fault) -> Value
    ) throws(DataFolderError) -> Value {
        guard let bytes = try read() else { throw .unusable(name, .missing) }
        do throws(FolderFinding.Fault) { return try parse(bytes) } catch { throw .unusable(name, error) }
    }

    /// Durable on return. An unfinished file from a failed write is replaced; any other file in its place is not
    /// changed.
    func write(_ bytes: [UInt8]) throws(DataFolderError) {
        do throws(Errno) {
            try AtomicFile.write(bytes, to: path, mayReplace: { Self.isOwnLeftover($0) })
        } catch {
            guard error != .fileExists else { throw .unusable(AtomicFile.unfinished(name), .planted) }
            throw .writing(name, failedWith: error)
        }
    }

    /// Adds a line at the end, or makes the file with it. Durable on return. Other processes may add lines at the same
    /// time: none is lost.
    ///
    /// - Parameter line: without its line feed.
    /// - Throws: ``DataFolderError/unusable(_:)`` as ``read()`` does. After a failed write the file may end with a part
    ///   of the line.
    func append(line: [UInt8]) throws(DataFolderError) {
        let descriptor = open(path, O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0o600)
        guard descriptor >= 0 else {
            if errno == ELOOP { throw .unusable(name, .symbolicLink) }
            throw .writing(name, failedWith: .last)
        }
        defer { close(descriptor) }
        let size = try trusted(descriptor).size
        let feed = UInt8(ascii: "\n")
        var last = feed
        if size > 0, pread(descriptor, &last, 1, size - 1) != 1 { throw .reading(name, failedWith: .last) }
        // A crash may have cut off the line before.
        let added = (last == feed ? [] : [feed]) + line + [feed]
        do throws(Errno) {
            try FileDescriptor(rawValue: descriptor).writeWhole(added)
            guard fsync(descriptor) == 0 else { throw .last }
            try FolderSync.run(ofFile: path)
        } catch {
            throw .writing(name, failedWith: error)
        }
    }

    private func trusted(_ descriptor: CInt) throws(DataFolderError) -> FileStatus {
        guard let status = FileStatus(descriptor: descriptor) else { throw .reading(name, failedWith: .last) }
        let faults = status.faults(expecting: .regular, owner: geteuid())
        guard faults.isEmpty else { throw .unusable(faults.map { FolderFinding(name, $0) }) }
        return status
    }

    /// Whether a file looks like one that ``write(_:)`` makes: regular, with one name, owned by this user and
    /// accessible only to this user.
    static func isOwnLeftover(_ path: String, owner: UInt32 = geteuid()) -> Bool {
        FileStatus(path)?.faults(expecting: .regular, owner: owner).isEmpty ?? false
    }
}
