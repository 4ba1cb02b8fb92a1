import ArgumentParser
import Foundation
import Relay
import Service

struct RelayCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "relay",
        abstract: "Deliver events to the endpoints of organizations, as a process of its own.",
        discussion: """
            The relay asks the service for due events, which the service has rendered and signed. It connects to \
            global addresses of other machines over https alone, unless --relay-allow names the host. The file of keys \
            has a line for each organization: its id and a key of it with the scope deliver.

            EXAMPLE
              consentlink relay --data /var/lib/consentlink-relay \\
                --keys /etc/consentlink/relay.keys
            """
    )

    @Option(
        help: ArgumentHelp(
            "Private listener of a service. (default: as the environment says, else http://127.0.0.1:8081)",
            valueName: "url"))
    var api: String?

    @Option(help: ArgumentHelp("The relay's own folder.", valueName: "dir"))
    var data = ProcessInfo.processInfo.environment["CONSENTLINK_RELAY_DATA"] ?? "./relay"

    @Option(
        help: ArgumentHelp(
            "File with a line for each organization: its id and a key. No other user may read it.", valueName: "file"))
    var keys: String

    @Option(
        help: ArgumentHelp(
            "Host that may be connected to over http and at any address; may be given several times.",
            valueName: "host"))
    var relayAllow: [String] = []

    @Option(
        help: ArgumentHelp("Certificates in PEM that are trusted besides those of the system.", valueName: "file"))
    var trust: String?

    @Option(
        help: ArgumentHelp(
            "trace, debug, info, notice, warning, error or critical.", valueName: "level"))
    var logLevel = "info"

    func run() async throws {
        if let fault = SettingText.fault(inFolder: data) {
            throw CommandFailure(
                "consentlink: --data (or CONSENTLINK_RELAY_DATA) \(fault)", exitCode: ExitStatus.usage)
        }
        // Before the signals are taken: the file may be a pipe, and until then SIGTERM ends the process while it waits.
        let pairs = try keyPairs()
        let signals = await EndSignals()
        guard let logger = ProcessLog.begin(level: logLevel) else {
            throw CommandFailure("consentlink: --log-level must be one of the levels", exitCode: ExitStatus.usage)
        }
        let service = try api ?? APIOptions.address(in: ProcessInfo.processInfo.environment)
        let relay = Relay(
            RelaySettings(
                service: service, keys: pairs, folder: data,
                allowedHosts: try Self.allowedHosts(relayAllow, ProcessInfo.processInfo.environment),
                trustedCertificates: trust),
            logger: logger)
        do {
            try await Self.run(relay) { await signals.wait(logger) }
        } catch let error as RelayError {
            throw CommandFailure("consentlink: \("\(error)".shown)", exitCode: Self.code(of: error))
        }
    }

    private func keyPairs() throws(CommandFailure) -> [(organization: String, key: String)] {
        let text: String
        do throws(SettingError) {
            text = try SettingSecret.text(in: keys, setting: "keys")
        } catch {
            throw CommandFailure("consentlink: --keys \(error.expected.shown)", exitCode: ExitStatus.usage)
        }
        guard let pairs = RelaySettings.keys(in: text) else {
            throw CommandFailure(
                "consentlink: each line of --keys must be an organization and a key of it", exitCode: ExitStatus.usage)
        }
        return pairs
    }

    private static let (variables, allowing) = ("CONSENTLINK_RELAY_", "CONSENTLINK_RELAY_ALLOW")

    /// The hosts in flags and the environment.
    /// - Throws: `CommandFailure` for a host that no URL can name, and for a variable without a meaning.
    private static func allowedHosts(
        _ flags: [String], _ environment: [String: String]
    ) throws(CommandFailure) -> Set<String> {
        let known = ["CONSENTLINK_RELAY_DATA", allowing]
        if let name = environment.keys.sorted().first(where: { $0.hasPrefix(variables) && !known.contains($0) }) {
            throw CommandFailure(
                "consentlink: \(name) is not a setting of the relay; they are \(known.joined(separator: " and "))",
                exitCode: ExitStatus.usage)
        }
        let named = (environment[allowing] ?? "").split(separator: ",").map(String.init)
        var hosts: Set<String> = []
        for text in flags + named {
            guard let host = RelaySettings.host(text.trimmingCharacters(in: .whitespaces)) else {
                throw CommandFailure(
                    "consentlink: --relay-allow and \(allowing) must name hosts alone, as in https://HOST/",
                    exitCode: ExitStatus.usage)
            }
            hosts.insert(host)
        }
        return hosts
    }

    private static func run(_ relay: Relay, until end: @escaping @Sendable () async -> Void) async throws {
        let work = Task {
            try await relay.run { StandardStream.output.tellWithoutWaiting("consentlink relay ready\n") }
        }
        let stopping = Task {
            await end()
            work.cancel()
        }
        defer { stopping.cancel() }
        try await work.value
    }

    private static func code(of error: RelayError) -> ExitCode {
        switch error {
        case .inUse: ExitStatus.folderUnusable
        case .certificates, .address: ExitStatus.usage
        case .folder, .cannotLock, .interfaces, .systemCertificates: ExitStatus.failed
        }
    }
}
