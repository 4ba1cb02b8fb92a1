import Foundation
package import PostgresClient
import Synchronization

/// A PostgreSQL server of the tests' own, in a temporary folder, which listens on a Unix socket there and nowhere else.
///
/// Debian's programs are used. PostgreSQL does not run as root, so root runs it as `postgres`.
package final class PostgresServer: Sendable {
    /// One for a process; ended with it. A crash of the machine may cost its databases, as no service accepts it.
    package static let shared: PostgresServer = {
        atexit { PostgresServer.shared.stop() }
        return started(settings: ["fsync": "off", "full_page_writes": "off"])
    }()

    /// Another, with the settings on which a service starts.
    package static let durable: PostgresServer = {
        atexit { PostgresServer.durable.stop() }
        return started(settings: [:])
    }()

    private static func started(settings: [String: String]) -> PostgresServer {
        do {
            return try PostgresServer(settings: settings)
        } catch {
            fatalError("the tests need PostgreSQL (Deploy/test installs it): \(error)")
        }
    }

    private static let programs = "/usr/lib/postgresql/15/bin"

    /// Where the socket is.
    package let folder: String
    private let process: Process
    /// Guards how many databases were made.
    private let made = Mutex(0)

    private init(settings: [String: String]) throws {
        folder = try Self.command("mktemp", "-d", "/tmp/consentlink-postgres-XXXXXX")
        if getuid() == 0 { try Self.command("chown", "postgres", folder) }
        try Self.unprivileged(
            "\(Self.programs)/initdb", "-D", "\(folder)/data", "-U", "test", "-A", "trust", "-E", "UTF8", "--locale=C",
            "--no-sync", "--no-instructions")
        let server = Process()
        let arguments =
            [
                "\(Self.programs)/postgres", "-D", "\(folder)/data", "-k", folder, "-c", "listen_addresses=", "-c",
                "autovacuum=off", "-c", "max_connections=200", "-c",
                "shared_buffers=64MB", "-c", "logging_collector=off", "-c", "log_min_messages=panic",
            ] + settings.flatMap { ["-c", "\($0.key)=\($0.value)"] }
        server.executableURL = URL(filePath: "/usr/bin/env")
        // No test is about a crash of the machine, and syncing takes most of the time.
        server.arguments = Self.privileges + ["eatmydata"] + arguments
        server.standardError = FileHandle.nullDevice
        try server.run()
        process = server
        for _ in 0..<200 {
            if (try? connection(to: "postgres")) != nil { return }
            usleep(50_000)
        }
        throw PostgresServerError.notStarted
    }

    package func stop() {
        // Fast shutdown.
        kill(process.processIdentifier, SIGINT)
        process.waitUntilExit()
        _ = try? Self.command("rm", "-rf", folder)
    }

    /// Makes an empty database, or one like `template`. Files are copied in half the time that the log would take.
    package func makeDatabase(like template: PostgresLocation? = nil) throws -> PostgresLocation {
        let name = "test\(made.withLock { made in made += 1; return made })"
        let from = template?.database ?? "template0"
        let connection = try connection(to: "postgres")
        try connection.run(script: "CREATE DATABASE \(name) TEMPLATE \(from) STRATEGY FILE_COPY")
        connection.close()
        return try location(of: name)
    }

    package func drop(_ database: PostgresLocation) throws {
        guard let name = database.database else { return }
        let connection = try connection(to: "postgres")
        try connection.run(script: "DROP DATABASE \(name) WITH (FORCE)")
        connection.close()
    }

    private func connection(to database: String) throws -> PostgresConnection {
        try PostgresConnection(location(of: database), password: nil)
    }

    private func location(of database: String) throws -> PostgresLocation {
        try PostgresLocation("postgres://test@/\(database)?host=\(folder)")
    }

    private static var privileges: [String] {
        getuid() == 0 ? ["setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups"] : []
    }

    @discardableResult
    private static func unprivileged(_ arguments: String...) throws -> String { try run(privileges + arguments) }

    @discardableResult
    private static func command(_ arguments: String...) throws -> String { try run(arguments) }

    private static func run(_ arguments: [String]) throws -> String {
        let (process, output) = (Process(), Pipe())
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = arguments
        process.currentDirectoryURL = URL(filePath: "/")
        process.standardOutput = output
        try process.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw PostgresServerError.failed(arguments[0]) }
        return text.trimmingCharacters(in: .whitespacesAndNewlines)
    }
}

package enum PostgresServerError: Error {
    case notStarted
    case failed(String)
}
