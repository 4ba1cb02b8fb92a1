import Glibc

/// Whether a start would succeed that is asked for while the service runs. What cannot start again goes on as it is.
package struct ReloadCheck: Sendable {
    private let settings: @Sendable () async throws -> SettingsInForce

    /// - Parameter settings: reads them anew, and throws where one is wrong.
    package init(_ settings: @escaping @Sendable () async throws -> SettingsInForce) { self.settings = settings }

    /// Changes nothing.
    /// - Throws: what the next start would end with.
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
        // The lock of the folder that this process serves from goes over to the next start.
        let process = FolderLock.process(in: path)
        if process != getpid(), FolderLock.isHeld(in: path) { throw .inUse(process: process) }
    }
}
