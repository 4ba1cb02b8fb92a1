import Formats
import Identifiers
import Interactions
import Redirect
import TrackingIDs

/// Takes what devices report: finds out whether it is genuine and permitted, and has it on disk before it says so.
struct DeviceReportIntake: Sendable {
    let gate: SharedTrackingIDOpener
    let directory: LinkDirectory
    let writer: SpoolWriter
    let memory: ReportDeduplicator
    let now: @Sendable () -> Timestamp
    let counters: DeviceReportCounters

    enum Outcome {
        /// Recorded, or rightly not: for the device both are success.
        case done
        /// Not of a message of this service, or not of the organization or the message that it claims.
        case foreign
        /// Could not be made durable. The device may try again.
        case unavailable
    }

    /// - Parameters:
    ///   - organization: the organization in the request's path; `nil` where it has none.
    ///   - objects: whether the request says that the recipient does not want to be tracked.
    func take(_ report: DeviceReport, for organization: OrganizationID?, objects: Bool) async throws -> Outcome {
        let outcome: DeviceReportOutcome
        do {
            outcome = try await self.outcome(of: report, for: organization, objects: objects)
        } catch {
            counters.count(.unavailable)
            throw error
        }
        counters.count(outcome)
        return switch outcome {
        case .recorded, .notPermitted: .done
        case .foreign, .invalid: .foreign
        case .unavailable: .unavailable
        }
    }

    private func outcome(
        of report: DeviceReport, for organization: OrganizationID?, objects: Bool
    ) async throws -> DeviceReportOutcome {
        guard let id = gate.open({ report.trackingID.opened(by: $0) }).trackingID, id.link == .message,
            report.claimedMessage.map({ $0 == id.message }) ?? true
        else { return .foreign }
        guard let message = try await directory.find(id.message),
            organization.map({ $0 == message.organization }) ?? true
        else { return .foreign }
        let instant = now()
        guard isRecorded(id, report.kind.activity, of: message, objects: objects, at: instant) else {
            return .notPermitted
        }
        // The app, or a client that imitates it, made up a name that the message does not have.
        let action = report.action.flatMap { message.names($0) ? $0 : nil }
        let occurrence = Occurrence(
            kind: report.kind, source: report.source, occurredAt: instant, message: id.message,
            recipient: id.recipient, link: .message, visitor: .deviceReport, action: action)
        return await memory.once(occurrence) { await writer.store(occurrence) } ? .recorded : .unavailable
    }

    private func isRecorded(
        _ id: TrackingID, _ activity: TrackedActivity, of message: LinkedMessage, objects: Bool, at instant: Timestamp
    ) -> Bool {
        let policy = message.recordingPolicy(
            for: id.recipient, of: activity, expires: id.expiry.timestamp, at: instant)
        return !message.isDisabled
            && policy.verdict(signals: RequestSignals(hasGlobalPrivacyControl: objects), at: instant) == .record
    }
}
