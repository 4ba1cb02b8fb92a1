import HTTPTypes
import Identifiers
import Logging
import Organizations
import Pages
import StoragePorts
import UseCases

/// Backups, and the state of retention. Only the operator may see them.
struct UpkeepRoutes {
    private static let path = "/upkeep"
    private static let backUpPath = "/upkeep/back-up"
    private static let backupsShown = 20
    private static let pageSize = 25
    /// How long data may remain after its time: retention deletes the data that becomes due within a quarter of an hour
    /// together.
    private static let timeout = Duration.seconds(1800)
    /// The member of the query after a backup was made.
    private static let made = "made"

    let organizations: any OrganizationStore
    let operations: Operations

    var routes: [ConsoleRoute] {
        [.page(Self.path, .operatorAlone, show), .form(Self.backUpPath, .operatorAlone, backUp)]
    }

    private struct View {
        let texts: UpkeepTexts
        let failure: String?
        let isDone: Bool
        let backups: String
        let action: String
        let token: String
        let retention: String
        let more: String?
        let runs: String
        let jobs: String
    }

    @Sendable private func show(_ call: ConsoleCall) async throws -> ConsoleResponse { .page(try await page(call)) }

    private func page(_ call: ConsoleCall, failure: String? = nil) async throws -> ConsolePage {
        let texts = UpkeepTexts.all[call.language]
        let after = try call.queryValue("after") { text throws(IdentifierError) in try OrganizationID(text) }
        guard let found = try await organizations.organizations(after: after, limit: Self.pageSize) else {
            throw ConsoleRefusal.unfit(field: "after", .unknown)
        }
        let kept = operations.keptBackups().map { Array($0.prefix(Self.backupsShown)) }
        let retention = try await retentionTable(found.organizations, texts, at: call.now)
        let (runs, jobs) = (runTable(texts), jobTable(texts))
        let view = View(
            texts: texts, failure: failure, isDone: call.said("done") == [Self.made],
            backups: backupTable(kept, texts, call.format).html(call.format).text, action: Self.backUpPath,
            token: try call.formToken(for: Self.backUpPath), retention: retention.html(call.format).text,
            more: found.next.map { ConsoleCall.address(Self.path, [("after", $0.description)]) },
            runs: runs.html(call.format).text, jobs: jobs.html(call.format).text)
        return ConsolePage(
            area: .upkeep, title: texts.title, lead: texts.lead, content: Templates.render("upkeep", view),
            tables: [backupTable(kept, texts, nil), retention, runs, jobs])
    }

    /// - Parameters:
    ///   - kept: `nil` if the folder for backups cannot be read.
    ///   - format: writes sizes in words; `nil` for files, which have them in bytes.
    private func backupTable(
        _ kept: [Operations.KeptBackup]?, _ texts: UpkeepTexts, _ format: NumberFormat?
    ) -> ConsoleTable {
        ConsoleTable(
            name: "backups", caption: texts.backups,
            columns: [
                .init("name", texts.name), .init("startedAt", texts.begun),
                .init("bytes", format == nil ? texts.sizeInBytes : texts.size, .number),
            ],
            rows: (kept ?? []).map { backup -> [ConsoleTable.Cell] in
                let size = format.map { ConsoleTable.Cell.text($0.bytes(backup.bytes)) }
                return [
                    .code(backup.name), .time(backup.startedAt), size ?? .number(Int(clamping: backup.bytes)),
                ]
            },
            whenEmpty: kept == nil ? texts.unreadable : texts.noBackup)
    }

    private func retentionTable(
        _ found: [Organization], _ texts: UpkeepTexts, at now: Timestamp
    ) async throws -> ConsoleTable {
        var rows: [[ConsoleTable.Cell]] = []
        for organization in found {
            let due = try await operations.retention.nextDue(in: organization.id)
            let isOverdue = due.map { $0.advanced(by: Self.timeout) < now } ?? false
            let state: ConsoleTable.Cell =
                isOverdue
                ? .state(texts.overdue, code: "overdue", tone: .warning)
                : .state(texts.onTime, code: "onTime", tone: .good)
            rows.append([
                .code(organization.id.description), kept(organization.retention.interactionsDays, texts),
                kept(organization.retention.decisionsDays, texts),
                due == nil ? .text(texts.nothingDue) : .time(due), due == nil ? .none : state,
            ])
        }
        return ConsoleTable(
            name: "retention", caption: texts.retention,
            columns: [
                .init("organization", texts.organization), .init("interactions", texts.interactions),
                .init("decisions", texts.decisions), .init("nextDue", texts.nextDue), .init("state", texts.state),
            ],
            rows: rows, whenEmpty: texts.empty)
    }

    private func kept(_ days: Int?, _ texts: UpkeepTexts) -> ConsoleTable.Cell {
        .text(days.map(texts.days) ?? texts.forEver)
    }

    /// What retention has deleted, and when it continues.
    private func runTable(_ texts: UpkeepTexts) -> ConsoleTable {
        let activity = operations.retentionActivity()
        let row: [ConsoleTable.Cell] = [
            .time(activity.lastEnd), .time(activity.nextRun), .number(activity.interactions),
            .number(activity.decisions), .number(activity.accesses),
        ]
        return ConsoleTable(
            name: "runs", caption: texts.runs,
            columns: [
                .init("lastEnd", texts.lastEnd), .init("nextRun", texts.nextRun),
                .init("interactions", texts.interactionsRemoved, .number),
                .init("decisions", texts.decisionsCut, .number), .init("accesses", texts.accessesCut, .number),
            ],
            rows: activity.lastEnd == nil ? [] : [row], whenEmpty: texts.noRun)
    }

    private func jobTable(_ texts: UpkeepTexts) -> ConsoleTable {
        ConsoleTable(
            name: "jobs", caption: texts.jobs, columns: [.init("job", texts.job), .init("holder", texts.holder)],
            rows: Job.allCases.map { job in
                let name =
                    switch job {
                    case .retention: texts.forgetting
                    }
                return [
                    .text(name),
                    operations.isHeld(job)
                        ? .state(texts.thisNode, code: "thisNode", tone: .good)
                        : .state(texts.otherNode, code: "other", tone: .neutral),
                ]
            })
    }

    @Sendable private func backUp(_ call: ConsoleCall) async throws -> ConsoleResponse {
        do {
            let backup = try await operations.backups.make()
            call.log("backup.make", details: ["files": "\(backup.files.count)"])
            return .redirect(to: try call.address(of: Self.path, saying: [("done", Self.made)]))
        } catch let error as BackupError {
            call.log("backup.make", status: "refused")
            var page = try await page(call, failure: UpkeepTexts.all[call.language].failed(error))
            page.status = .conflict
            page.isOnce = true
            return .page(page)
        }
    }
}
