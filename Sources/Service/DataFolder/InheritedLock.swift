import Glibc
import LocalFiles
import SystemPackage

/// The lock of a data folder that this process held before it was replaced by the present program image.
///
/// A lock belongs to the open file and not to the program, so it holds during the replacement if its descriptors stay
/// open: no other process can take the folder meanwhile. The image before names them beside its sockets.
struct InheritedLock {
    private static let names = (folder: "lockedFolder", file: "lockFile")

    private let folder: CInt
    private let file: CInt

    init(folder: CInt, file: CInt) {
        self.folder = folder
        self.file = file
    }

    /// - Parameter text: what the image before handed over; `nil` if there was none.
    /// - Returns: `nil` if it names no lock, or if a descriptor is not of such a file. The operator may have set the
    ///   variable by hand.
    init?(handedOver text: String?) {
        var numbers: [String: CInt] = [:]
        for part in HandedOver.parts(of: text) { numbers[String(part.name)] = CInt(exactly: part.number) }
        guard let folder = numbers[Self.names.folder], let file = numbers[Self.names.file], folder > 2, file > 2,
            FileStatus(descriptor: folder)?.type == .directory, FileStatus(descriptor: file)?.type == .regular
        else { return nil }
        self.init(folder: folder, file: file)
    }

    /// Keeps the descriptors open for the next program image.
    /// - Returns: the part of what is handed over that names them.
    func handOver() -> String {
        for descriptor in [folder, file] { _ = fcntl(descriptor, F_SETFD, 0) }
        return "\(Self.names.folder)=\(folder):\(Self.names.file)=\(file)"
    }

    /// The open files, if they are those of the folder at this path; otherwise they are closed, because another folder
    /// must not stay locked. Must be called at most once.
    func files(of path: String) -> (folder: CInt, file: CInt)? {
        for descriptor in [folder, file] { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
        guard FileStatus(following: path)?.isSameFile(as: folder) == true,
            FileStatus("\(path)/\(FolderFile.lock)")?.isSameFile(as: file) == true
        else {
            close(file)
            close(folder)
            return nil
        }
        return (folder, file)
    }
}
