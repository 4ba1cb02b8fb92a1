import Foundation
import Glibc
import LocalFiles
import SystemPackage

/// The place where a file is, or would be made, independent of the path to it.
struct ResolvedPath {
    /// As many links as the kernel follows.
    private static let maximumLinkCount = 40

    private let status: FileStatus?
    /// Without links and dots.
    let path: String

    init(_ path: String) {
        status = FileStatus(following: path)
        self.path = Self.resolved(path)
    }

    static func == (one: Self, other: Self) -> Bool {
        if let first = one.status, let second = other.status { return first.isSameFile(as: second) }
        return one.path == other.path
    }

    /// The path without links and dots; for a link to a file that does not exist, the place of that file.
    private static func resolved(_ path: String, links: Int = maximumLinkCount) -> String {
        if let real = real(path) { return real }
        let name = FilePath(path)
        let parent = name.removingLastComponent()
        let folder = FilePath(real(parent.isEmpty ? "." : parent.string) ?? parent.string)
        let place = folder.appending(name.lastComponent?.string ?? "")
        guard links > 0, let target = try? FileManager.default.destinationOfSymbolicLink(atPath: place.string) else {
            return place.string
        }
        // An absolute target does not depend on the link's folder.
        return resolved(folder.pushing(FilePath(target)).string, links: links - 1)
    }

    /// - Returns: `nil` if nothing exists there.
    private static func real(_ path: String) -> String? {
        guard let resolved = realpath(path, nil) else { return nil }
        defer { free(resolved) }
        return String(cString: resolved)
    }
}
