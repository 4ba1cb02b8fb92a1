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
        try sockets.check(settings)
    }
}
