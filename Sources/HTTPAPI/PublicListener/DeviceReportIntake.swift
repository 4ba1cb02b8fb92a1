import Formats
import Identifiers
import Interactions
import Redirect
import TrackingIDs

/// Takes reports of devices: checks whether a report is genuine and permitted, and makes it durable before it is
/// acknowledged. Plain reports do not come here: they are taken before the decoder, by the same rules.
struct DeviceReportIntake: Sendable {
    let opener: SharedTrackingIDOpener
    let directory: LinkDirectory
    let writer: SpoolWriter
    let deduplicator: ReportDeduplicator
    let now: @Sendable () -> Timestamp
    let counters: DeviceReportCounters

    enum Outcome {
        /// Recorded, or rightly not recorded: for the device both are success.
        case done
        /// Not of a message of this service, or not of the organization or the message that the report claims.
        case foreign
        /// Could not be made durable. The device may try again.
        case unavailable
    }

    /// - Parameters:
    ///   - organization: the organization in the request's path; `nil` where it has none.
    ///   - hasGlobalPrivacyControl: whether the request says that the recipient does not want to be tracked.
    func take(
        _ report: DeviceReport, for organization: OrganizationID?, hasGlobalPrivacyControl: Bool
    ) async throws -> Outcome {
        let outcome: DeviceReportOutcome
        do {
            outcome = try await self.outcome(
                of: report, for: organization, hasGlobalPrivacyControl: hasGlobalPrivacyControl)
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
        of report: DeviceReport, for organization: OrganizationID?, hasGlobalPrivacyControl: Bool
    ) async throws -> DeviceReportOutcome {
        guard let id = try opener.open({ report.trackingID.opened(by: $0) }), report.speaks(of: id),
            let message = try await directory.find(id.message)
        else { return .foreign }
        let plan = DeviceReportPlan(
            report, id, of: message, for: organization, hasGlobalPrivacyControl: hasGlobalPrivacyControl, at: now())
        switch plan {
        case .foreign: return .foreign
        case .skip: return .notPermitted
        case .record(let occurrence):
            return await deduplicator.once(occurrence) { await writer.store(occurrence) == nil }
                ? .recorded : .unavailable
        }
    }
}
