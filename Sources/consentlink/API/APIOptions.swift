import ArgumentParser
import ConsentLinkClient
import Foundation
import LocalFiles
import Service

/// The address of a running service's private listener, and the key for it.
struct APIOptions: ParsableArguments {
    /// The greatest length of operator.key, in bytes.
    private static let maximumKey = 4096

    @Option(
        help: ArgumentHelp(
            "Private listener of the running service. (default: as the environment says, else http://127.0.0.1:8081)",
            valueName: "url"))
    var api: String?

    @Option(
        help: ArgumentHelp(
            "Data folder, whose operator.key is used unless CONSENTLINK_KEY is set.", valueName: "dir"))
    var data = ProcessInfo.processInfo.environment["CONSENTLINK_DATA"] ?? "./data"

    @Flag(help: "Answer as JSON, for programs.")
    var json = false

    /// The address of the private listener without `--api`: that in `CONSENTLINK_API`, else that of a service with this
    /// environment.
    /// - Throws: `CommandFailure` for a listener that cannot be found: the key must not go to another program.
    static func address(in environment: [String: String]) throws(CommandFailure) -> String {
        if let address = environment["CONSENTLINK_API"] { return address }
        guard let text = environment["CONSENTLINK_API_LISTEN"] else { return address(of: ServiceSettings().apiListen) }
        guard let listener = ListenAddress(text) else {
            throw CommandFailure(
                "consentlink: CONSENTLINK_API_LISTEN must be HOST:PORT such as 127.0.0.1:8081",
                exitCode: ExitStatus.usage)
        }
        guard listener.port != 0 else {
            throw CommandFailure(
                """
                consentlink: CONSENTLINK_API_LISTEN lets the system choose the port: name the service's address with \
                --api, or set CONSENTLINK_API
                """,
                exitCode: ExitStatus.usage)
        }
        return address(of: listener)
    }

    /// The URL of a private listener for its own machine.
    static func address(of listener: ListenAddress) -> String {
        "http://\(listener.isEveryAddress ? ListenAddress(host: "127.0.0.1", port: listener.port) : listener)"
    }

    /// For `--data` or the environment's `CONSENTLINK_DATA`.
    static var noFolder: CommandFailure {
        CommandFailure("consentlink: --data (or CONSENTLINK_DATA) must be a folder", exitCode: ExitStatus.usage)
    }

    /// - Parameter reason: the caller's reason to look at recipients.
    func client(giving reason: String? = nil) throws -> APIClient {
        let given = try api ?? Self.address(in: ProcessInfo.processInfo.environment)
        guard let address = ServiceAddress(given) else {
            throw CommandFailure(
                "consentlink: --api must be a URL such as http://127.0.0.1:8081", exitCode: ExitStatus.usage)
        }
        let (key, source) = try key()
        return try APIClient(base: address.text, key: key, from: source, reason: reason)
    }

    /// - Returns: the key, and where it is from.
    private func key() throws -> (key: String, source: String) {
        if let key = ProcessInfo.processInfo.environment["CONSENTLINK_KEY"] {
            // If the given key cannot be read, the operator's key must not replace it.
            guard !key.isEmpty else {
                throw CommandFailure(
                    "consentlink: CONSENTLINK_KEY is empty; unset it to use the operator.key of the data folder",
                    exitCode: ExitStatus.usage)
            }
            return (key, "CONSENTLINK_KEY")
        }
        guard !data.isEmpty else { throw Self.noFolder }
        let file = "\(data)/\(FolderFile.operatorKey)"
        let bytes: [UInt8]
        do throws(FileContent.Fault) {
            bytes = try FileContent.whole(file, upTo: Self.maximumKey)
        } catch {
            throw CommandFailure(
                """
                consentlink: there is no operator.key to read in \(data.shown): \(error); \
                name the service's folder with --data, or set CONSENTLINK_KEY
                """,
                exitCode: ExitStatus.usage)
        }
        let text = String(decoding: FileContent.withoutByteOrderMark(bytes), as: UTF8.self)
        return (text.trimmingCharacters(in: .whitespacesAndNewlines), file)
    }
}
