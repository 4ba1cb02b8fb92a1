import Hummingbird
import Identifiers
import JSON
import Messages
import NIOCore
import Organizations
import Redirect
import Reports
import UseCases

/// The reports of a message, and of an organization's messages. Reports are numbers and name no recipient.
struct ReportRoutes {
    let catalog: MessageCatalog
    let reports: any ReportStore
    let drain: Drain
    let now: @Sendable () -> Timestamp

    var routes: [Route] {
        [
            Route(
                .get, "/v1/orgs/{org}/messages/{id}/report", .scopes([.read, .report]), work: .heavy, ofMessage),
            Route(.get, "/v1/orgs/{org}/report", .scopes([.read, .report]), readsQuery: true, ofOrganization),
            Route(.get, "/v1/orgs/{org}/consent-report", .scopes([.read, .report]), readsQuery: true, ofConsents),
        ]
    }

    @Sendable private func ofMessage(_ call: AuthenticatedRequest) async throws -> Response {
        let organization = try call.organization
        let id = try call.id("id", as: MessageID.self)
        let message =
            call.principal.mayRead
            ? try await catalog.message(id, in: organization)
            : try await catalog.messageWithoutAddedLinks(id, in: organization)
        await drain.catchUp()
        guard let counts = try await reports.counts(of: message.id, in: organization) else { throw Problem.notFound }
        let report = MessageReport(message: message, counts: counts)
        guard call.request.accept.choice(among: .json, .csv) == .csv else {
            return .json { writer in writer.object { report.write(to: &$0) } }
        }
        return .document(.csv, report.table.csv)
    }

    @Sendable private func ofOrganization(_ call: AuthenticatedRequest) async throws -> Response {
        var query = try QueryReader(call.request)
        let from = try query.take("from", Timestamp.init(rfc3339:))
        let to = try query.take("to", Timestamp.init(rfc3339:))
        let tag = try query.takeText("tag", MessageTag.init)
        try query.finish()
        let organization = try call.organization
        let member = Problem.selectionMember(from: from, to: to, tag: tag)
        let report = try await Problem.ofSelection(at: member) {
            let selection = try ReportSelection(from: from, to: to, tag: tag, now: now())
            await drain.catchUp()
            return CampaignReport(
                selection: selection, counts: try await reports.counts(of: selection, in: organization))
        }
        guard call.request.accept.choice(among: .json, .csv) == .csv else {
            return .json { writer in writer.object { report.write(to: &$0) } }
        }
        return .document(.csv, report.table.csv)
    }

    @Sendable private func ofConsents(_ call: AuthenticatedRequest) async throws -> Response {
        var query = try QueryReader(call.request)
        let from = try query.take("from", Timestamp.init(rfc3339:))
        let to = try query.take("to", Timestamp.init(rfc3339:))
        let purpose = try query.take("purpose", Purpose.init)
        try query.finish()
        let now = now()
        let time = try await Problem.ofSelection(at: Problem.selectionMember(from: from, to: to)) {
            try ReportSelection(from: from, to: to, now: now)
        }
        let selection = ConsentReportSelection(time, purpose: purpose, now: now)
        let report = ConsentReport(
            selection: selection, counts: try await reports.consents(selection, in: try call.organization))
        guard call.request.accept.choice(among: .json, .csv) == .csv else {
            return .json { writer in writer.object { report.write(to: &$0) } }
        }
        return .document(.csv, report.table.csv)
    }
}

extension Problem {
    /// The member of the query to name when a selection is impossible.
    enum SelectionMember: String {
        case from
        case to
        case tag
    }

    /// A member that the query has; `from` if it has none.
    static func selectionMember(from: Timestamp?, to: Timestamp?, tag: MessageTag? = nil) -> SelectionMember {
        if to != nil { return .to }
        return from == nil && tag != nil ? .tag : .from
    }

    /// Names the member of the query that makes a selection impossible.
    static func ofSelection<Value>(
        at member: SelectionMember, _ body: () async throws -> Value
    ) async throws -> Value {
        do {
            return try await body()
        } catch let error as ReportSelectionError {
            throw Problem(query: member.rawValue, member == .to ? error.description : error.descriptionOfFrom)
        }
    }
}
