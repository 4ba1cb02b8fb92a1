import Glibc

/// Checks, while the service runs, whether a restart would succeed. If not, the service continues unchanged.
package struct ReloadCheck: Sendable {
    private let settings: @Sendable () async throws -> SettingsInForce

    /// - Parameter settings: reads the settings again, and throws if one is wrong.
    package init(_ settings: @escaping @Sendable () async throws -> SettingsInForce) { self.settings = settings }

    /// Changes nothing.
    /// - Throws: the error with which the next start would fail.
    func run(with sockets: SocketParts) async throws {
        try ProcessReplacement.check()
        let settings = try await settings().settings
        try DataFolder.requireUnlessNew(settings)
        try Self.checkFolder(settings)
        try sockets.check(settings)
    }

    private static func checkFolder(_ settings: ServiceSettings) throws(DataFolderError) {
        let path = settings.dataFolder
        let inspection = try FolderInspection(of: path)
        try inspection.requireUsable()
        try inspection.require(settings.storage.kind)
        // The next start takes over this process's lock of the folder.
        let process = FolderLock.process(in: path)
        if process != getpid(), FolderLock.isHeld(in: path) { throw .inUse(process: process) }
    }
}
