import Foundation
import TestSupport

@testable import ConsentLinkClient

/// The program that was built together with these tests, serving on a data folder of its own.
struct RunningService {
    /// Of the private and of the public listener.
    let (api, links): (String, String)
    let operatorKey: String

    /// What links begin with. The service takes no port from the system for it.
    static let publicURL = "http://links.example"

    private struct NotReady: Error {}

    private static var executable: URL {
        URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent().appending(
            path: "consentlink")
    }

    /// - Parameter body: is given the service, which ends behind it.
    static func with(_ body: (RunningService) async throws -> Void) async throws {
        try await TemporaryFolder.with { folder in
            let process = Process()
            let output = Pipe()
            process.executableURL = executable
            process.arguments = [
                "serve", "--data", folder.path(of: "data"), "--listen", "127.0.0.1:0", "--api-listen", "127.0.0.1:0",
                "--public-url", publicURL,
            ]
            process.environment = ["PATH": "/usr/bin:/bin"]
            process.standardOutput = output
            process.standardError = FileHandle.nullDevice
            try process.run()
            defer {
                process.terminate()
                process.waitUntilExit()
            }
            let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
            guard let found = line.firstMatch(of: /ready public=(\S+) api=(\S+)/) else { throw NotReady() }
            let key = try folder.text(of: "data/operator.key").trimmingCharacters(in: .whitespacesAndNewlines)
            try await body(RunningService(api: String(found.2), links: String(found.1), operatorKey: key))
        }
    }
}
