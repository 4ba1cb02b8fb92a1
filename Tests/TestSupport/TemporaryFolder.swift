package import Foundation

/// A folder of its own for one test.
package struct TemporaryFolder: Sendable {
    package let path: String

    package init() throws {
        path = NSTemporaryDirectory() + "consentlink-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    package func remove() { try? FileManager.default.removeItem(atPath: path) }

    package func path(of file: String) -> String { "\(path)/\(file)" }

    /// Writes a file. Returns its path.
    @discardableResult
    package func write(_ text: String, to file: String) throws -> String {
        try write(Array(text.utf8), to: file)
    }

    /// Writes a file. Returns its path.
    @discardableResult
    package func write(_ bytes: [UInt8], to file: String) throws -> String {
        try Data(bytes).write(to: URL(filePath: path(of: file)))
        return path(of: file)
    }

    package func text(of file: String) throws -> String {
        String(decoding: try Data(contentsOf: URL(filePath: path(of: file))), as: UTF8.self)
    }

    package func contains(_ file: String) -> Bool { FileManager.default.fileExists(atPath: path(of: file)) }

    package var files: [String] {
        get throws { try FileManager.default.contentsOfDirectory(atPath: path).sorted() }
    }

    package func contents(of file: String) throws -> Data { try Data(contentsOf: URL(filePath: path(of: file))) }

    /// What a process leaves that is killed now: the files as they are, without the shared memory.
    package func copyAsIfKilled() throws -> TemporaryFolder {
        let copy = try TemporaryFolder()
        for file in try files where !file.hasSuffix("-shm") {
            try FileManager.default.copyItem(atPath: path(of: file), toPath: copy.path(of: file))
        }
        return copy
    }

    /// The permission bits of a file.
    package func permissions(of file: String) throws -> Int {
        let attributes = try FileManager.default.attributesOfItem(atPath: path(of: file))
        return (attributes[.posixPermissions] as? Int) ?? -1
    }

    /// Gives `body` a folder, and removes it afterwards.
    package static func with<Result>(_ body: (TemporaryFolder) throws -> Result) throws -> Result {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        return try body(folder)
    }

    /// Gives `body` a folder, and removes it afterwards.
    package static func with<Result>(_ body: (TemporaryFolder) async throws -> Result) async throws -> Result {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        return try await body(folder)
    }
}
