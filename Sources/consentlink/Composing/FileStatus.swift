import SystemPackage

/// What the file system says of a file: what kind it is of, and its size.
///
/// Asked through swift-system: `stat` of the C library stands in two modules that this target imports, and which of them
/// the compiler takes for the owner of its members depends on the order of the files.
struct FileStatus {
    let type: FileType
    /// In bytes.
    let size: Int

    /// - Returns: `nil` when the descriptor is none of an open file.
    init?(ofDescriptor descriptor: CInt) {
        guard let status = try? Stat(FileDescriptor(rawValue: descriptor)) else { return nil }
        self.init(status)
    }

    /// Of the file itself, not of what a symbolic link leads to.
    ///
    /// - Returns: `nil` when there is none, or it cannot be asked about.
    init?(ofPath path: String) {
        guard let status = try? Stat(FilePath(path), followTargetSymlink: false) else { return nil }
        self.init(status)
    }

    private init(_ status: Stat) {
        type = status.type
        size = Int(status.size)
    }
}
