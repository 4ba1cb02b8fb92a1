package import Formats
package import Identifiers
package import Interactions
package import TrackingIDs

/// The plan for a device's report with a genuine tracking ID, decided from the report, the message and the consent that
/// is known. Pure.
package enum DeviceReportPlan: Equatable, Sendable {
    /// The tracking ID is not of a message of the organization that was posted to.
    case foreign
    /// Rightly not recorded. For the device it is a success.
    case skip
    case record(Occurrence)

    /// - Parameters:
    ///   - id: the content of the tracking ID of `report`.
    ///   - message: the message of `id`.
    ///   - organization: the organization in the request's path; `nil` where that names none.
    ///   - hasGlobalPrivacyControl: whether the request says that the recipient does not want to be tracked.
    package init(
        _ report: DeviceReport, _ id: TrackingID, of message: LinkedMessage, for organization: OrganizationID?,
        hasGlobalPrivacyControl: Bool, at now: Timestamp
    ) {
        guard organization.map({ $0 == message.organization }) ?? true else {
            self = .foreign
            return
        }
        let policy = message.recordingPolicy(
            for: id.recipient, of: report.kind.activity, expires: id.expiry.timestamp,
            mayObject: hasGlobalPrivacyControl, at: now)
        guard !message.isDisabled,
            policy.verdict(signals: RequestSignals(hasGlobalPrivacyControl: hasGlobalPrivacyControl), at: now)
                == .record
        else {
            self = .skip
            return
        }
        // The message has no such button: the app, or a client that imitates it, made up the name.
        let action = report.action.flatMap { message.names($0) ? $0 : nil }
        self = .record(
            Occurrence(
                kind: report.kind, source: report.source, occurredAt: now, message: id.message,
                recipient: id.recipient, link: .message, visitor: .deviceReport, action: action))
    }
}
