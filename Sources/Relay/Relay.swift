import ConsentLinkClient
import Cryptography
import Glibc
import Identifiers
import LocalFiles
package import Logging
import NIOPosix
import Webhooks

/// Delivers events to endpoints: a separate process, the only one that connects to other networks.
///
/// The service renders and signs; the relay sends, and reports the result. It stores only its identity.
package struct Relay: Sendable {
    /// The time for work in progress when the relay is stopped: a delivery and its report. Longer work, such as a slow
    /// look-up of a name, is not reported, and the event is delivered again.
    private static let timeout = Duration.seconds(17)

    private let settings: RelaySettings
    private let logger: Logger
    private let stop = StopFlag()

    package init(_ settings: RelaySettings, logger: Logger) {
        self.settings = settings
        self.logger = logger
    }

    /// Delivers until the task is cancelled.
    /// - Parameter onReady: called once.
    /// - Throws: ``RelayError``
    package func run(onReady: () -> Void) async throws {
        let folder = try RelayFolder(at: settings.folder)
        // It is locked until this ends.
        defer { withExtendedLifetime(folder) {} }
        guard InterfaceAddresses.current() != nil else { throw RelayError.interfaces }
        var random = SecureRandom()
        guard
            let identity = RelayIdentity(
                relay: folder.identity, begunAt: Self.wallTime, random: Base64URL.encode(random.bytes(18)))
        else { throw RelayError.folder("relay.id is none") }
        let openFiles = FileDescriptors.raise()
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 2)
        let tls = try EndpointTrust.context(adding: settings.trustedCertificates)
        let underWay = EndpointsUnderWay()
        let threads = LookUpThreads()
        let outage = ServiceOutage(logger)
        let connections = ServiceConnectionSets(organizations: settings.keys.count)
        let relays = try settings.keys.map { organization, key in
            let policy = ConnectionPolicy(
                allowedHosts: settings.allowedHosts,
                resolver: SystemResolver(organization: organization, threads: threads))
            let client = DeliveryClient(policy, tls: tls, group: group)
            var logger = logger
            logger[metadataKey: "organization"] = "\(organization)"
            return OrganizationRelay(
                calls: try calls(of: organization, key: key, over: connections, identity), client: client,
                underWay: underWay, stop: stop, outage: outage, logger: logger)
        }
        logger.notice(
            "the relay begins", metadata: ["organizations": "\(relays.count)", "openFiles": "\(openFiles)"])
        if relays.count > ServiceConnectionSets.waitingLimit {
            logger.warning(
                "more organizations than requests that a node lets wait: start several relays, each at a node of its own",
                metadata: ["organizations": "\(relays.count)", "limit": "\(ServiceConnectionSets.waitingLimit)"])
        }
        onReady()
        await deliver(relays)
        logger.notice("the relay ended")
        withExtendedLifetime(folder) {}
        // The event loops end with the process.
    }

    private static var wallTime: Timestamp {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Timestamp(millisecondsSince1970: Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000)
    }

    private func deliver(_ relays: [OrganizationRelay]) async {
        let work = Task {
            await withDiscardingTaskGroup { group in
                for relay in relays { group.addTask { await relay.run() } }
            }
        }
        await withTaskCancellationHandler {
            await work.value
        } onCancel: {
            stop.raise()
            // Requests that wait for new events lose nothing; deliveries get the time to be reported.
            Task {
                try? await Task.sleep(for: Self.timeout)
                work.cancel()
            }
        }
    }

    private func calls(
        of organization: String, key: String, over connections: ServiceConnectionSets, _ identity: RelayIdentity
    ) throws(RelayError) -> ServiceCalls {
        do throws(ConsentLinkError) {
            return try ServiceCalls(
                settings.service, key: key, over: connections, organization: organization, identity: identity)
        } catch {
            throw .address("\(error)")
        }
    }
}
