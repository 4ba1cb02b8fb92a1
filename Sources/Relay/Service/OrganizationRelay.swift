import ConsentLinkClient
import Logging
import Webhooks

/// Delivers the events of one organization: asks the service for due events, and serves each endpoint until it has no
/// more. Endpoints do not wait for each other.
struct OrganizationRelay: Sendable {
    /// The pauses between repeated reports of a delivery without an answer.
    private static let pauses: [Duration] = [.milliseconds(100), .milliseconds(500), .seconds(1), .seconds(2)]
    /// A report is retried while its lease lasts.
    private static let reportTimeout = Duration.seconds(20)

    let calls: ServiceCalls
    let client: DeliveryClient
    let underWay: EndpointsUnderWay
    let stop: StopFlag
    let outage: ServiceOutage
    /// Adds the organization to each line.
    let logger: Logger

    /// Runs until the task is cancelled, and then finishes the work in progress.
    func run() async {
        await withDiscardingTaskGroup { group in
            var failures = TakeFailures()
            while !stop.isRaised {
                do {
                    let deliveries = try await stop.cancelling { try await calls.take() }
                    outage.end()
                    logEnd(of: failures)
                    failures = TakeFailures()
                    for delivery in deliveries { group.addTask { await follow(delivery) } }
                } catch {
                    guard !stop.isRaised, !Task.isCancelled else { break }
                    let kind = TakeFailures.Kind(error)
                    let (pause, isFirst) = failures.record(
                        kind, wish: (error as? ConsentLinkError)?.problem?.retryAfter)
                    if kind == .noAnswer { outage.begin(Self.safe(error)) } else { outage.end() }
                    if isFirst { log(kind, error) }
                    try? await stop.cancelling { try await Task.sleep(for: pause) }
                }
            }
        }
    }

    private var current: CurrentDelivery { CurrentDelivery(calls: calls, now: client.now) }

    private func follow(_ first: RelayedDelivery) async {
        guard underWay.begin(first.lease) else { return }
        var next: RelayedDelivery? = first
        while let delivery = next {
            next = await deliver(delivery)
            while next == nil, let waiting = underWay.end(delivery.lease.endpoint) { next = await renew(waiting) }
        }
    }

    /// - Returns: the delivery of a lease that waited, if it may still be sent.
    private func renew(_ lease: RelayedLease) async -> RelayedDelivery? {
        guard !stop.isRaised else { return nil }
        do throws(SendingResult.Reason) {
            return try await current.renewed(lease)
        } catch {
            log(error, of: lease)
            return nil
        }
    }

    /// - Returns: the next one of the same endpoint, if the service gave one.
    private func deliver(_ delivery: RelayedDelivery) async -> RelayedDelivery? {
        let start = ContinuousClock.now
        let result = await client.send(delivery) { delivery throws(SendingResult.Reason) in
            try await current.young(delivery)
        }
        switch result {
        case .ended(let outcome):
            let milliseconds = Int((ContinuousClock.now - start) / .milliseconds(1))
            log(outcome, of: delivery, milliseconds)
            return await report(outcome, of: delivery, milliseconds)
        case .notSent(let reason):
            log(reason, of: delivery.lease)
            return nil
        }
    }

    private func report(
        _ outcome: DeliveryOutcome, of delivery: RelayedDelivery, _ milliseconds: Int
    ) async -> RelayedDelivery? {
        let end = ContinuousClock.now + Self.reportTimeout
        var attempt = 0
        while true {
            do {
                return try await calls.report(
                    outcome, of: delivery.lease.token, milliseconds: milliseconds, wantsNext: !stop.isRaised)
            } catch let error as ConsentLinkError {
                let isFinal = error.problem.map { $0.status < 500 && $0.status != 429 } ?? false
                guard !isFinal, ContinuousClock.now < end, !Task.isCancelled else {
                    logUnreported(delivery, error)
                    return nil
                }
                try? await Task.sleep(for: Self.pauses[min(attempt, Self.pauses.count - 1)])
                attempt += 1
            } catch {
                return nil
            }
        }
    }
}

// MARK: Logging: ids and outcomes, neither the address of a delivery nor its content.

extension OrganizationRelay {
    private func log(_ failure: TakeFailures.Kind, _ error: any Error) {
        let metadata: Logger.Metadata = ["error": "\(Self.safe(error))"]
        switch failure {
        // It concerns all organizations.
        case .noAnswer: break
        case .superseded:
            logger.error(
                "this relay runs twice: another process with the same folder began later. This one waits",
                metadata: metadata)
        case .refused(let status):
            logger.error(
                "the service refuses to give this relay deliveries",
                metadata: metadata.merging(["status": "\(status)"]) { $1 })
        }
    }

    private func logEnd(of failures: TakeFailures) {
        switch failures.kind {
        case nil, .noAnswer: break
        case .superseded, .refused: logger.notice("this relay delivers again")
        }
    }

    /// The event is delivered again, with the same id.
    private func logUnreported(_ delivery: RelayedDelivery, _ error: ConsentLinkError) {
        let metadata: Logger.Metadata = ["endpoint": "\(delivery.lease.endpoint)", "error": "\(error)"]
        if error.problem?.status == 409 {
            logger.warning("the lease of a delivery was lost", metadata: metadata)
        } else if error.problem == nil {
            logger.error("a report was not answered", metadata: metadata)
        } else {
            logger.error("the service refused a report", metadata: metadata)
        }
    }

    private func log(_ reason: SendingResult.Reason, of lease: RelayedLease) {
        let metadata: Logger.Metadata = ["endpoint": "\(lease.endpoint)", "reason": "\(reason.rawValue)"]
        if reason == .endpointChanged {
            logger.notice("a delivery was not sent, because its endpoint was changed", metadata: metadata)
        } else {
            logger.warning("a delivery was not sent, and is tried again later", metadata: metadata)
        }
    }

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
                "endpoint": "\(delivery.lease.endpoint)", "reason": "\(reason)", "milliseconds": "\(milliseconds)",
            ])
    }

    private static func safe(_ error: any Error) -> String {
        (error as? ConsentLinkError)?.description ?? String(describing: type(of: error))
    }
}
