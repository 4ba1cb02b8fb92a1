import JSON

/// The state of a running service, from its private listener.
package struct ServiceDiagnosis {
    /// The answer to a request, with any status.
    package struct Answer: Sendable {
        package let status: Int
        package let body: String

        package init(status: Int, body: String) {
            self.status = status
            self.body = body
        }
    }

    private let process: Int32?
    private let readiness: Answer?
    private let metrics: Answer?
    private let base: String
    private let listener: ListeningService?

    /// - Parameters:
    ///   - process: the process that uses the data folder.
    ///   - listener: the service that listens at `base`; `nil` if that cannot be known.
    ///   - readiness: the answer of `/readyz`; `nil` if there was none.
    ///   - metrics: the answer of `/metrics`.
    package init(
        base: String, process: Int32?, listener: ListeningService? = nil, readiness: Answer?, metrics: Answer?
    ) {
        self.base = base
        self.process = process
        self.listener = listener
        self.readiness = readiness
        self.metrics = metrics
    }

    package var entries: [DiagnosisEntry] {
        guard let readiness else {
            guard let process else { return [DiagnosisEntry("service", "it does not run")] }
            return [
                DiagnosisEntry(
                    "service", "process \(process) has the folder and does not answer at \(base)",
                    remedy: "Name its private listener with --api. If that is right, look at its log.")
            ]
        }
        if let listener, listener.process != process { return [neighbour(listener)] }
        let runs =
            process.map { "it runs as process \($0)" }
            ?? "a service answers at \(base), and no visible process has this folder: the service may have another one"
        // Other statuses were reported already as those of no private listener.
        let isService = [200, 503].contains(readiness.status)
        return [DiagnosisEntry("service", runs), Self.otherSettings, ready(readiness)] + (isService ? values : [])
    }

    /// Its answers would be reported about the wrong folder.
    private func neighbour(_ listener: ListeningService) -> DiagnosisEntry {
        let here = process.map { "process \($0) has this folder" } ?? "no process has this folder"
        return DiagnosisEntry(
            "service",
            "\(here); process \(listener.process) answers at \(base) and has the folder \(listener.folder)",
            remedy: """
                To look at that service: --data \(listener.folder). To look at the one of this folder, name its private \
                listener with --api, or its settings with --config.
                """)
    }

    private static let otherSettings = DiagnosisEntry(
        "settings",
        """
        they are those of a start from here, not those of the running process, which are in its log, with "the service \
        starts"
        """)

    private func ready(_ answer: Answer) -> DiagnosisEntry {
        switch answer.status {
        case 200: DiagnosisEntry("readiness", "it is ready")
        case 503:
            DiagnosisEntry(
                "readiness", "it is not ready: \(Self.detail(answer.body))",
                remedy: "docs/operating.md, Health, has a remedy for each reason.")
        default:
            DiagnosisEntry(
                "readiness", "\(base) answered \(answer.status)", remedy: "Name the private listener with --api.")
        }
    }

    /// The detail of a problem document; any other text unchanged.
    private static func detail(_ body: String) -> String {
        guard case .object(let problem)? = try? JSONValue.parse(Array(body.utf8)),
            case .string(let detail)? = problem["detail"]
        else { return body }
        return detail
    }

    /// This checks one moment. The alerts about the spool and about staleness look at minutes, and have other bounds;
    /// the others have the same bounds.
    private static let bounds: [(metric: String, subject: String, text: String, bound: Double, remedy: String)] = [
        (
            "consentlink_clock_lead_seconds", "clock", "seconds by which service time leads the system's clock", 5,
            "The system's clock has gone back. Set it by NTP (timedatectl), and keep it set."
        ),
        (
            "consentlink_checkpoint_lag_seconds", "checkpoints", "seconds for which entries wait to be signed", 60,
            "The log and /readyz say why nothing is signed."
        ),
        (
            "consentlink_checkpoints_missing_total", "checkpoints", "checkpoint files were missing when it started", 0,
            "If you did not move them away, find out who did. Compare with checkpoints that were collected elsewhere."
        ),
        (
            "consentlink_retention_lag_seconds", "retention", "seconds by which retention is behind", 3600,
            "The log says why retention deletes nothing."
        ),
        (
            "consentlink_webhook_lag_seconds", "relay", "seconds for which an event has waited for a relay", 600,
            "See whether the relay runs, and read its log. No event is lost."
        ),
        (
            "consentlink_spool_depth", "spool", "clicks wait for the store", 1_000_000,
            "The log says why the drain fails; no click is lost."
        ),
        (
            "consentlink_spool_commits_lost_total", "spool", "commits of recorded clicks were lost when it started", 0,
            "spool.db-wal was damaged. See why (dmesg): the disk or the memory may be failing."
        ),
        (
            "consentlink_node_staleness_seconds", "staleness", "seconds for which the node may not know a withdrawal",
            1,
            "See whether the database can be reached. Links redirect, and clicks are judged when they are stored."
        ),
        (
            "consentlink_mirror_lag_seconds", "mirror", "seconds for which the node's mirror has lacked data", 600,
            "The log says why. Without it the node cannot redirect while the database is away."
        ),
    ]

    private var values: [DiagnosisEntry] {
        // Any web server may answer `/readyz` and `/metrics`.
        guard let metrics, metrics.status == 200,
            metrics.body.split(separator: "\n").contains(where: { $0.hasPrefix("consentlink_") })
        else {
            let text = metrics.map { "\(base)/metrics answered \($0.status) without metrics of ConsentLink" }
            return [
                DiagnosisEntry(
                    "metrics", text ?? "\(base)/metrics did not answer",
                    remedy: "Name the private listener with --api: only its metrics show which work is behind.")
            ]
        }
        return Self.bounds.compactMap { bound in
            guard let value = Self.value(of: bound.metric, in: metrics.body) else { return nil }
            let number = Int64(exactly: value).map(String.init) ?? String(value)
            return DiagnosisEntry(
                bound.subject, "\(number) \(bound.text)", remedy: value > bound.bound ? bound.remedy : nil)
        }
    }

    /// The greatest value of a metric, over all its labels.
    private static func value(of metric: String, in page: String) -> Double? {
        page.split(separator: "\n").compactMap { line -> Double? in
            guard line.hasPrefix(metric), let end = line.dropFirst(metric.count).first, end == " " || end == "{" else {
                return nil
            }
            return line.split(separator: " ").last.flatMap { Double($0) }.flatMap { $0.isFinite ? $0 : nil }
        }.max()
    }
}
