import ArgumentParser
import Foundation
import Service

/// Every command says its `commandName`. ArgumentParser would make it from the name of the type, for all commands at each
/// start, and that searches all conformances of the program.
@main
struct ConsentLink: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "consentlink",
        abstract: "Tracks links only where consent permits it.",
        discussion: """
            EXAMPLE
              consentlink serve --data ./data
              consentlink org create acme --enforcement restrictive
            """,
        version: "consentlink \(ServiceVersion.current)",
        subcommands: [
            Serve.self, Init.self, Org.self, Keys.self, Migrate.self, Consents.self, Compose.self, Inspect.self,
            Audit.self,
            Verify.self, Backup.self, DatabaseCommand.self, NodeCommand.self, Doctor.self,
            RelayCommand.self, EndpointCommand.self,
        ]
    )

    static func main() async {
        StandardStream.prepare()
        FileCreationMask.keepOwnerPermissions()
        // Swift reads them from /proc. An empty list would be a request for help, and its exit code that of a success.
        guard !CommandLine.arguments.isEmpty else {
            complain("consentlink: the arguments cannot be read: /proc is not mounted")
            exit(withError: ExitStatus.failed)
        }
        if let fault = GivenText.argumentFault { refuse(fault) }
        do {
            var command = try parseAsRoot()
            if usesSettings(command),
                let fault = GivenText.fault(inSettings: ProcessInfo.processInfo.environment.keys)
            {
                refuse(fault)
            }
            if command is Serve || command is RelayCommand {
                EarlySignals.take()
                try requireThreads()
            }
            if var command = command as? any AsyncParsableCommand {
                try await command.run()
            } else {
                try command.run()
            }
        } catch let failure as CommandFailure {
            complain(failure.description)
            exit(withError: failure.exitCode)
        } catch let error as ExitCode {
            exit(withError: error)
        } catch {
            // Errors of ArgumentParser: requests for help and versions, and wrong usage.
            let columns = HelpText.columns
            let message = HelpText.wrapped(fullMessage(for: error, columns: columns), columns: columns)
            let code = exitCode(for: error)
            if code == .success {
                writeAnswer(Array((message + "\n").utf8))
                exit(withError: code)
            }
            complain(TerminalText.escaping(CommandLine.arguments, in: message))
            exit(withError: ExitStatus.usage)
        }
    }

    private static func refuse(_ fault: String) -> Never {
        complain("consentlink: \(fault)")
        exit(withError: ExitStatus.usage)
    }

    /// Whether a command does more than to show help. Parsing answers other requests for help, and for the version.
    private static func usesSettings(_ command: any ParsableCommand) -> Bool {
        let configuration = type(of: command).configuration
        return configuration.commandName != "help" && configuration.subcommands.isEmpty
    }

    /// Must precede the first `await`, which may wait for a thread forever.
    private static func requireThreads() throws(CommandFailure) {
        do throws(TooFewThreads) {
            try ThreadNeed(eventLoops: 1).require()
        } catch {
            throw CommandFailure("consentlink: \(error)")
        }
    }
}
