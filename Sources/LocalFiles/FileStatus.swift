import Glibc
package import SystemPackage

/// The status of a file.
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

    /// The status of the file at a path; `nil` if there is none.
    ///
    /// - Throws: the system's error if it does not tell.
    package static func find(_ path: String, followsLink: Bool = false) throws(Errno) -> FileStatus? {
        do throws(Errno) {
            return FileStatus(try Stat(FilePath(path), followTargetSymlink: followsLink))
        } catch {
            guard error == .noSuchFileOrDirectory || error == .notDirectory else { throw error }
            return nil
        }
    }

    /// - Returns: `nil` if the descriptor is not that of an open file.
    package init?(descriptor: CInt) {
        guard let status = try? Stat(FileDescriptor(rawValue: descriptor)) else { return nil }
        self.status = status
    }

    package var type: FileType { status.type }
    /// In bytes.
    package var size: Int { Int(status.size) }
    package var owner: UInt32 { status.userID.rawValue }
    /// The twelve permission bits.
    package var mode: UInt32 { status.permissions.rawValue }
    package var links: Int { status.linkCount }
    package var inode: UInt64 { UInt64(status.inode.rawValue) }
    /// Since 1970.
    package var writtenAt: Duration { Duration(status.st_mtim) }
    package var identity: Identity { Identity(device: UInt64(status.deviceID.rawValue), inode: inode) }

    /// Whether the descriptor is of this file.
    package func isSameFile(as descriptor: CInt) -> Bool { identity == Self(descriptor: descriptor)?.identity }

    package func isSameFile(as other: FileStatus) -> Bool { identity == other.identity }

    /// Distinguishes a file from every other file that exists at the same time.
    package struct Identity: Hashable, Sendable {
        package let device: UInt64
        package let inode: UInt64

        package init(device: UInt64, inode: UInt64) {
            self.device = device
            self.inode = inode
        }
    }

    /// What exists at a path.
    package enum Presence: Hashable {
        case there(Identity)
        case missing
        /// The file system did not tell.
        case unknown

        package init(_ path: String, followsLink: Bool) {
            do throws(Errno) {
                self = .there(FileStatus(try Stat(FilePath(path), followTargetSymlink: followsLink)).identity)
            } catch {
                self = error == .noSuchFileOrDirectory || error == .notDirectory ? .missing : .unknown
            }
        }
    }
}
