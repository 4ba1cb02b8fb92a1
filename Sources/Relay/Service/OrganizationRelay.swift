import ConsentLinkClient
import Logging
import Synchronization
import Webhooks

/// Delivers the events of one organization: asks the service for what is due, and follows each endpoint until there is
/// nothing more for it. Endpoints do not wait for each other.
struct OrganizationRelay: Sendable {
    private static let pauses: [Duration] = [.milliseconds(100), .milliseconds(500), .seconds(1), .seconds(2)]
    /// A report is tried again for as long as its lease lasts.
    private static let reportPatience = Duration.seconds(20)

    let calls: ServiceCalls
    let client: DeliveryClient
    let stop: StopFlag
    let logger: Logger

    /// Runs until the task is cancelled; what is under way is finished.
    func run() async {
        await withDiscardingTaskGroup { group in
            var failures = 0
            while !stop.isRaised {
                do {
                    let deliveries = try await stop.cancelling { try await calls.take() }
                    if failures > 0 { logger.notice("the service answers again") }
                    failures = 0
                    for delivery in deliveries { group.addTask { await follow(delivery) } }
                } catch {
                    guard !stop.isRaised, !Task.isCancelled else { break }
                    if failures == 0 {
                        logger.error("the service does not answer", metadata: ["error": "\(Self.safe(error))"])
                    }
                    let pause = Self.pauses[min(failures, Self.pauses.count - 1)]
                    failures += 1
                    try? await Task.sleep(for: pause)
                }
            }
        }
    }

    private func follow(_ first: RelayedDelivery) async {
        var next: RelayedDelivery? = first
        while let delivery = next {
            let start = ContinuousClock.now
            let outcome = await client.send(delivery.request)
            let milliseconds = Int((ContinuousClock.now - start) / .milliseconds(1))
            log(outcome, of: delivery, milliseconds)
            next = await report(outcome, of: delivery, milliseconds)
        }
    }

    private func report(
        _ outcome: DeliveryOutcome, of delivery: RelayedDelivery, _ milliseconds: Int
    ) async -> RelayedDelivery? {
        let end = ContinuousClock.now + Self.reportPatience
        var attempt = 0
        while true {
            do {
                return try await calls.report(
                    outcome, of: delivery.token, milliseconds: milliseconds, wantsNext: !stop.isRaised)
            } catch let error as ConsentLinkError {
                // Its lease is over: the event is delivered again, with the same id.
                if let status = error.problem?.status, status < 500, status != 429 { return nil }
                guard ContinuousClock.now < end, !Task.isCancelled else { return nil }
                try? await Task.sleep(for: Self.pauses[min(attempt, Self.pauses.count - 1)])
                attempt += 1
            } catch {
                return nil
            }
        }
    }

    /// Ids and outcomes: neither where it went nor what was in it.
    private func log(_ outcome: DeliveryOutcome, of delivery: RelayedDelivery, _ milliseconds: Int) {
        guard !outcome.isDelivered else { return }
        let reason =
            switch outcome {
            case .answered(let status, _): "\(status)"
            case .failed(let failure): failure.rawValue
            }
        logger.warning(
            "a delivery failed",
            metadata: [
                "endpoint": "\(delivery.endpoint)", "reason": "\(reason)", "milliseconds": "\(milliseconds)",
            ])
    }

    private static func safe(_ error: any Error) -> String {
        (error as? ConsentLinkError)?.description ?? String(describing: type(of: error))
    }
}
