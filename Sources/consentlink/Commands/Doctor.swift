import ArgumentParser
import Foundation
import JSON
import Service

struct Doctor: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "Look for faults of a service, and print how to correct them.",
        discussion: """
            Looks at the settings, the data folder, the database, the disks, the clock, the backups, and at the service \
            if it runs. Changes nothing. Exits with 1 when something needs to be done.

            EXAMPLE
              consentlink doctor --data /var/lib/consentlink
            """
    )

    @Option(help: ArgumentHelp("Folder for databases and keys. (default: as serve has it)", valueName: "dir"))
    var data: String?

    @OptionGroup
    var config: ConfigOption

    @Option(
        help: ArgumentHelp("Private listener of the service. (default: api-listen of the settings)", valueName: "url"))
    var api: String?

    @Flag(help: "Answer as JSON, for programs.")
    var json = false

    func run() async throws {
        let environment = ProcessInfo.processInfo.environment
        let inForce: SettingsInForce
        do {
            let given = try await ServiceSettings.load(
                flags: data.map { ["data": $0] } ?? [:], environment: environment, file: config.file)
            inForce = try SettingsInForce(given, environment: environment, isOfAnyUser: true)
            try inForce.requireEffect()
        } catch {
            throw CommandFailure("consentlink: \("\(error)".shown)", exitCode: ExitStatus.usage)
        }
        let settings = inForce.settings
        let base = api ?? environment["CONSENTLINK_API"] ?? APIOptions.address(of: settings.apiListen)
        let folder = FolderDiagnosis(settings)
        let probe = try HealthProbe(base: base)
        let listener = ListeningService(at: base)
        let process = folder.process ?? listener.flatMap { folder.isHeld(by: $0) ? $0.process : nil }
        let service = ServiceDiagnosis(
            base: base, process: process, listener: listener,
            readiness: await probe.get(settings.roles.contains(.api) ? "/readyz" : "/readyz?for=links"),
            metrics: await probe.get("/metrics"))
        let database = await DatabaseTask.diagnosis(settings)
        let entries = inForce.diagnosis + folder.entries + database + service.entries
        show(settings, entries)
        if entries.contains(where: { $0.remedy != nil }) { throw ExitStatus.failed }
    }

    private func show(_ settings: ServiceSettings, _ entries: [DiagnosisEntry]) {
        let values = settings.effective.map {
            (name: $0.name, value: $0.value, source: settings.sources[$0.name]?.rawValue ?? "default")
        }
        guard json else { return showText(values, entries) }
        var writer = JSONWriter()
        writer.object { writer in
            writer.member("version", ServiceVersion.current)
            writer.member("well", entries.allSatisfy { $0.remedy == nil })
            writer.key("settings")
            writer.array { writer in
                for value in values {
                    writer.object { writer in
                        writer.member("name", value.name)
                        writer.member("value", value.value)
                        writer.member("source", value.source)
                    }
                }
            }
            writer.key("entries")
            writer.array { writer in
                for entry in entries {
                    writer.object { writer in
                        writer.member("subject", entry.subject)
                        writer.member("text", entry.text)
                        writer.member("remedy", entry.remedy)
                    }
                }
            }
        }
        sayJSON(writer.bytes)
    }

    private func showText(
        _ values: [(name: String, value: String, source: String)], _ entries: [DiagnosisEntry]
    ) {
        say("consentlink \(ServiceVersion.current)")
        say("")
        say("Settings, as serve would take them if it were started from here:")
        for line in Output.table(values.map { ["  \($0.name)", $0.value, "(\($0.source))"] }) { say(line) }
        say("")
        for entry in entries {
            say("\(entry.remedy == nil ? "ok  " : "!!  ") \(entry.subject): \(entry.text)")
            if let remedy = entry.remedy { say("     \(remedy)") }
        }
        let count = entries.count { $0.remedy != nil }
        say("")
        say(count == 0 ? "All is well." : "\(count) \(count == 1 ? "thing needs" : "things need") to be done.")
    }
}
