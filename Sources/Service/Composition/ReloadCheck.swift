import Glibc

/// Checks, while the service runs, whether a restart would succeed. If not, the service continues unchanged.
package struct ReloadCheck: Sendable {
    private let settings: @Sendable () async throws -> SettingsInForce
    private let program: @Sendable () -> String

    /// - Parameter settings: reads the settings again, and throws if one is wrong.
    package init(_ settings: @escaping @Sendable () async throws -> SettingsInForce) {
        self.init(program: { ProcessReplacement.program }, settings)
    }

    /// - Parameter program: the program that replaces this one.
    init(
        program: @escaping @Sendable () -> String, _ settings: @escaping @Sendable () async throws -> SettingsInForce
    ) {
        self.program = program
        self.settings = settings
    }

    /// Changes nothing.
    /// - Parameter isGivenUp: asked while the program is tried; ends that.
    /// - Throws: the error with which the next start would fail.
    func run(
        with sockets: SocketParts, unless isGivenUp: @escaping @Sendable () -> Bool = { false }
    ) async throws {
        let program = program()
        try ProcessReplacement.check(program)
        let settings = try await settings().settings
        try ThreadNeed(eventLoops: settings.threads).require()
        try DataFolder.requireUnlessNew(settings)
        try Self.checkFolder(settings)
        try Self.checkClusterKey(settings)
        try sockets.check(settings)
        if let reason = try await ProgramTrial(program: program).fault(unless: isGivenUp) {
            throw ProcessReplacement.Failure(program: program, reason: reason)
        }
    }

    private static func checkFolder(_ settings: ServiceSettings) throws(DataFolderError) {
        let path = settings.dataFolder
        let inspection = try FolderInspection(of: path)
        try inspection.requireUsable()
        try inspection.require(settings.storage.kind)
        let findings = FolderDatabases.schemaFindings(in: path, of: settings.storage.kind)
        guard findings.isEmpty else { throw .unusable(findings) }
        // The next start takes over this process's lock of the folder.
        let process = FolderLock.process(in: path)
        if process != getpid(), FolderLock.isHeld(in: path) { throw .inUse(process: process) }
    }

    private static func checkClusterKey(_ settings: ServiceSettings) throws {
        guard settings.storage.kind == .postgres else { return }
        _ = try ClusterSecrets.key(in: settings.dataFolder, given: settings.clusterKey)
    }
}
