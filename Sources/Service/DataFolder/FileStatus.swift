import Glibc
package import SystemPackage

/// The status of a file.
///
/// Read with swift-system: `stat` of the C library is in two modules that this target imports, and the order of the
/// files decides which of them the compiler takes for the owner of its members. So it is with `timespec`.
package struct FileStatus {
    private let status: Stat

    private init(_ status: Stat) { self.status = status }

    /// The status of the file itself, not of the target of a symbolic link.
    ///
    /// - Returns: `nil` if there is no file, or if its status cannot be read.
    package init?(_ path: String) {
        guard let status = try? Stat(FilePath(path), followTargetSymlink: false) else { return nil }
        self.status = status
    }

    /// The status of the target of a symbolic link.
    ///
    /// - Returns: `nil` if there is no file, or if its status cannot be read.
    package init?(following path: String) {
        guard let status = try? Stat(FilePath(path)) else { return nil }
        self.status = status
    }

    /// - Returns: `nil` if the descriptor is not that of an open file.
    package init?(descriptor: CInt) {
        guard let status = try? Stat(FileDescriptor(rawValue: descriptor)) else { return nil }
        self.status = status
    }

    package var type: FileType { status.type }
    /// In bytes.
    package var size: Int { Int(status.size) }
    var owner: UInt32 { status.userID.rawValue }
    /// The twelve permission bits.
    var mode: UInt32 { status.permissions.rawValue }
    var links: Int { status.linkCount }
    var inode: UInt64 { UInt64(status.inode.rawValue) }
    /// In nanoseconds since 1970.
    var writtenAt: Int64 { ClockReading.nanoseconds(Duration(status.st_mtim)) }
    var identity: Identity { Identity(device: UInt64(status.deviceID.rawValue), inode: inode) }

    /// Whether the descriptor is of this file.
    package func isSameFile(as descriptor: CInt) -> Bool { identity == Self(descriptor: descriptor)?.identity }

    package func isSameFile(as other: FileStatus) -> Bool { identity == other.identity }

    /// Distinguishes a file from every other file that exists at the same time.
    struct Identity: Hashable, Sendable {
        let device: UInt64
        let inode: UInt64
    }

    /// What exists at a path.
    enum Presence: Hashable {
        case there(Identity)
        case missing
        /// The file system did not tell.
        case unknown

        init(_ path: String, followsLink: Bool) {
            do throws(Errno) {
                self = .there(FileStatus(try Stat(FilePath(path), followTargetSymlink: followsLink)).identity)
            } catch {
                self = error == .noSuchFileOrDirectory || error == .notDirectory ? .missing : .unknown
            }
        }
    }

    /// Why the file may have been written or read by another user than the one the service runs as.
    func faults(expecting expected: FileType, owner expectedOwner: UInt32) -> [FolderFinding.Fault] {
        guard type == expected else {
            if type == .symbolicLink { return [.symbolicLink] }
            return [expected == .directory ? .notAFolder : .notAFile]
        }
        var faults: [FolderFinding.Fault] = []
        if owner != expectedOwner { faults.append(.otherOwner(owner, expected: expectedOwner)) }
        if mode & 0o077 != 0 { faults.append(.open(mode)) }
        if type == .regular, links > 1 { faults.append(.hardLink) }
        return faults
    }
}
