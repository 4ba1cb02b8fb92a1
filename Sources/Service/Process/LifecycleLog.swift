import FoundationEssentials
import Identifiers
import Logging
import Messages
import PostgresClient
import ServiceLifecycle
import StoragePorts

/// Logs when the service starts and stops, and its settings.
struct LifecycleLog: Service {
    let logger: Logger

    /// - Parameter folder: the data folder's id.
    func started(_ settings: ServiceSettings, folder: FolderID) {
        var metadata: Logger.Metadata = ["version": "\(ServiceVersion.current)", "folder": "\(folder)"]
        for (name, value) in settings.effective { metadata[name] = "\(value)" }
        logger.info("the service starts", metadata: metadata)
        if !settings.apiListen.isLoopback {
            logger.warning(
                """
                other machines can reach the private listener: let only backends, the operator and Prometheus through \
                to it
                """, metadata: ["api-listen": "\(settings.apiListen)"])
        }
        let idle = settings.withoutEffect
        if !idle.isEmpty {
            logger.warning(
                "settings that only PostgreSQL uses have no effect: storage is \(settings.storageText)",
                metadata: ["settings": "\(idle.joined(separator: ", "))"])
        }
    }

    /// Must be last in the group, because the last service is told first to stop.
    func run() async {
        do {
            try await gracefulShutdown()
            logger.info("a signal asked the service to stop: it finishes the requests in flight")
        } catch {
            // Another service failed, and logs the reason itself.
        }
    }

    func stopped() { logger.info("the service has stopped") }
}

extension ServiceSettings {
    /// Every setting by its name, as it is in effect.
    package var effective: [(name: String, value: String)] { listening + provider + others }

    /// Settings that the operator gave and the storage ignores. They may be meant for the one that it is moved to.
    var withoutEffect: [String] {
        guard storage.kind == .sqlite else { return [] }
        return ["storage-password-file", "durability", "node-name", "cluster-key", "peer-address", "stale-clicks"]
            .filter(isGiven)
    }

    private typealias Setting = (name: String, value: String)

    private var listening: [Setting] {
        [
            ("data", Self.absolute(dataFolder).path(percentEncoded: false)), ("backups", backupPath),
            ("listen", listen.description), ("api-listen", apiListen.description),
            ("console-listen", consoleListen?.description ?? "off"), ("console-url", consoleURL?.text ?? "none"),
        ]
    }

    private var provider: [Setting] { Self.providerNames.map { ($0, consoleProviderTexts[$0] ?? "none") } }

    private var others: [Setting] {
        [
            ("public-url", publicURL?.text ?? "http://\(listen)"),
            ("link-lifetime", String(linkLifetimeInDays)), ("min-ask-again-days", String(minimumPauseInDays)),
            ("disk-floor", String(diskFloorInMebibytes)), ("missing-data", missingData.rawValue),
            ("storage", storageText), ("storage-password-file", storagePasswordFile ?? "none"),
            ("durability", durability.rawValue),
            ("node-name", nodeName?.description ?? "the host's"), ("cluster-key", clusterKey?.file ?? "none"),
            ("peer-address", peerAddress?.text ?? "none"),
            ("roles", NodeRole.allCases.filter(roles.contains).map(\.rawValue).joined(separator: ",")),
            ("stale-clicks", staleClicks.rawValue),
            ("threads", threads.map(String.init) ?? "one a core"), ("log-level", logLevel.rawValue),
        ]
    }
}
