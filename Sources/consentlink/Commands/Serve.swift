import ArgumentParser
import Foundation
import Service

struct Serve: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Start the service, on its embedded store or on PostgreSQL.",
        discussion: """
            Settings come from these flags, then from the environment (CONSENTLINK_ and the flag in upper case with \
            underscores), then from the YAML file that --config names.

            EXAMPLE
              consentlink serve --data /var/lib/consentlink \\
                --public-url https://links.example.com
            """
    )

    @Option(help: ArgumentHelp("Folder for databases and keys. (default: ./data)", valueName: "dir"))
    var data: String?

    @Option(help: ArgumentHelp("Folder for backups. (default: the data folder's name and -backups)", valueName: "dir"))
    var backups: String?

    @Option(help: ArgumentHelp("Public listener. (default: 127.0.0.1:8080)", valueName: "host:port"))
    var listen: String?

    @Option(help: ArgumentHelp("Private listener. (default: 127.0.0.1:8081)", valueName: "host:port"))
    var apiListen: String?

    @Option(
        help: ArgumentHelp("Console for people, or off. (default: 127.0.0.1:8082)", valueName: "host:port"))
    var consoleListen: String?

    @Option(
        help: ArgumentHelp(
            "Where browsers of other machines reach the console, such as https://console.example.com.",
            valueName: "origin"))
    var consoleURL: String?

    @Option(
        name: .customLong("console-oidc-issuer"),
        help: ArgumentHelp("OpenID provider of the console's accounts: its issuer.", valueName: "url"))
    var consoleProviderIssuer: String?

    @Option(
        name: .customLong("console-oidc-client-id"),
        help: ArgumentHelp("Client id of the console at the provider.", valueName: "id"))
    var consoleProviderClient: String?

    @Option(
        name: .customLong("console-oidc-client-secret-file"),
        help: ArgumentHelp(
            "File with the console's secret at the provider; no other user may read it.", valueName: "file"))
    var consoleProviderSecretFile: String?

    @Option(
        name: .customLong("console-oidc-roles-claim"),
        help: ArgumentHelp("Claim of the ID token that roles are read from, such as roles.", valueName: "claim"))
    var consoleProviderRolesClaim: String?

    @Option(
        name: .customLong("console-oidc-roles"),
        help: ArgumentHelp(
            "Roles that values of the claim give: VALUE=operator;VALUE=auditor@ORG, and so on.", valueName: "mapping"))
    var consoleProviderRoles: String?

    @Option(help: ArgumentHelp("Origin that links begin with. (default: http:// and --listen)", valueName: "origin"))
    var publicURL: String?

    @Option(
        help: ArgumentHelp(
            "Days after which a link redirects and records nothing: 1 to 3650. (default: 180)", valueName: "days"))
    var linkLifetime: String?

    @Option(
        help: ArgumentHelp(
            "Days that organizations wait at least after a no and after silence: 0 to 180. (default: 180)",
            valueName: "days"))
    var minAskAgainDays: String?

    @Option(
        help: ArgumentHelp(
            "Free MiB below which clicks are not stored: 0 to 1048576. (default: 256)", valueName: "MiB"))
    var diskFloor: String?

    @Option(
        help: ArgumentHelp(
            "Where there is no data folder or an empty one: make or refuse. (default: make)", valueName: "choice"))
    var missingData: String?

    @Option(
        help: ArgumentHelp(
            "sqlite, or the URL of a PostgreSQL database: postgres://user@host/name. (default: sqlite)",
            valueName: "storage"))
    var storage: String?

    @Option(help: ArgumentHelp("File with the password of the database; no other user may read it.", valueName: "file"))
    var storagePasswordFile: String?

    @Option(
        help: ArgumentHelp(
            "Durability of a commit on PostgreSQL: local or quorum. (default: local)", valueName: "choice"))
    var durability: String?

    @Option(
        help: ArgumentHelp(
            "Name of this node among those that share a PostgreSQL database. (default: the host's name)",
            valueName: "name"))
    var nodeName: String?

    @Option(
        help: ArgumentHelp("File cluster.key of another node, for a new node of its database.", valueName: "file"))
    var clusterKey: String?

    @Option(
        help: ArgumentHelp(
            "Where other nodes reach this one's private listener, such as http://10.0.0.2:8081.", valueName: "url"))
    var peerAddress: String?

    @Option(
        help: ArgumentHelp(
            "Requests that load balancers send to this node: links, api or links,api. (default: links,api)",
            valueName: "roles"))
    var roles: String?

    @Option(
        help: ArgumentHelp(
            "Clicks while the node may not know every withdrawal: judge-later or skip. (default: judge-later)",
            valueName: "choice"))
    var staleClicks: String?

    @Option(help: ArgumentHelp("Event loops: 1 to 1024. (default: one for each core)", valueName: "n"))
    var threads: String?

    @Option(
        help: ArgumentHelp(
            "trace, debug, info, notice, warning, error or critical. (default: info)", valueName: "level"))
    var logLevel: String?

    @OptionGroup
    var config: ConfigOption

    func run() async throws {
        let signals = await ProcessSignals.trapped()
        let file = config.file
        let reading = { @Sendable [flags] () async throws -> ServiceSettings in
            try await ServiceSettings.load(
                flags: flags, environment: ProcessInfo.processInfo.environment, file: file)
        }
        let settings: ServiceSettings
        do {
            settings = try await reading()
        } catch {
            throw CommandFailure("consentlink: \("\(error)".shown)", exitCode: ExitStatus.usage)
        }
        signals.log(at: settings.logLevel)
        do {
            let inForce = try SettingsInForce(settings, environment: ProcessInfo.processInfo.environment)
            try inForce.requireEffect()
            try ConsentLinkService.requireLimits(settings)
            try await ConsentLinkService.prepareFolder(inForce)
            let service = try ConsentLinkService(inForce)
            let reload = ReloadCheck {
                try settings.requireNoPipes(config: file)
                let next = try SettingsInForce(try await reading(), environment: ProcessInfo.processInfo.environment)
                try next.requireEffect()
                return next
            }
            try await service.run(until: signals, reload: reload) { links, api, console in
                let ready = "consentlink ready public=http://\(links) api=http://\(api)\n"
                let further = console.map { "consentlink console http://\($0)\n" } ?? ""
                StandardStream.output.tellWithoutWaiting(ready + further)
            }
        } catch let error as DataFolderError {
            throw CommandFailure(error, folder: settings.dataFolder)
        } catch let error as SettingError {
            throw CommandFailure("consentlink: \("\(error)".shown)", exitCode: ExitStatus.usage)
        } catch let error as SurplusSocketError {
            throw CommandFailure("consentlink: \("\(error)".shown)", exitCode: ExitStatus.usage)
        } catch let error as PassedSocketError {
            throw CommandFailure("consentlink: \("\(error)".shown)", exitCode: ExitStatus.usage)
        } catch {
            throw CommandFailure("consentlink: \("\(error)".shown)")
        }
    }

    private var flags: [String: String] {
        let given = [
            "data": data, "backups": backups, "listen": listen, "api-listen": apiListen,
            "console-listen": consoleListen, "console-url": consoleURL, "console-oidc-issuer": consoleProviderIssuer,
            "console-oidc-client-id": consoleProviderClient,
            "console-oidc-client-secret-file": consoleProviderSecretFile,
            "console-oidc-roles-claim": consoleProviderRolesClaim, "console-oidc-roles": consoleProviderRoles,
            "public-url": publicURL,
            "link-lifetime": linkLifetime, "min-ask-again-days": minAskAgainDays,
            "disk-floor": diskFloor, "missing-data": missingData, "storage": storage,
            "storage-password-file": storagePasswordFile, "durability": durability, "node-name": nodeName,
            "cluster-key": clusterKey, "peer-address": peerAddress,
            "roles": roles, "stale-clicks": staleClicks,
            "threads": threads, "log-level": logLevel,
        ]
        return given.compactMapValues { $0 }
    }
}
