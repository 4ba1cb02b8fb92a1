import Testing

@testable import Service

struct ServiceDiagnosisTests {
    private func entries(metrics: String, status: Int = 200) -> [DiagnosisEntry] {
        ServiceDiagnosis(
            base: "http://127.0.0.1:8081", process: 7, readiness: .init(status: status, body: "{}"),
            metrics: .init(status: 200, body: metrics)
        ).entries
    }

    @Test(
        "a metric beyond its bound is a finding, of several series the worst counts",
        arguments: [
            ("consentlink_clock_lead_seconds 0", false), ("consentlink_clock_lead_seconds 5", false),
            ("consentlink_clock_lead_seconds 5.5", true), ("consentlink_checkpoint_lag_seconds 61", true),
            ("consentlink_retention_lag_seconds{x=\"a\"} 1\nconsentlink_retention_lag_seconds{x=\"b\"} 3601", true),
            ("consentlink_webhook_lag_seconds 600", false), ("consentlink_webhook_lag_seconds 601", true),
            ("consentlink_spool_depth 1000000", false), ("consentlink_spool_depth 1000001", true),
            ("consentlink_spool_depth_of_another 9000000", false), ("# HELP consentlink_spool_depth 9000000", false),
            ("consentlink_spool_depth NaN", false), ("consentlink_spool_depth 1e30", true),
        ])
    func bounds(metrics: String, isFinding: Bool) {
        #expect(entries(metrics: "consentlink_ready 1\n\(metrics)\n").contains { $0.remedy != nil } == isFinding)
    }

    @Test("a service that is not ready is told with its reason, an answer of another kind with its status")
    func readiness() {
        let problem = ServiceDiagnosis.Answer(status: 503, body: #"{"status":503,"detail":"the disk is full"}"#)
        let notReady = ServiceDiagnosis(
            base: "http://x", process: 7, readiness: problem,
            metrics: .init(status: 200, body: "consentlink_ready 0\n")
        ).entries
        #expect(notReady.last?.text == "it is not ready: the disk is full")
        #expect(notReady.last?.remedy != nil)
        let elsewhere = ServiceDiagnosis(
            base: "http://x", process: nil, readiness: .init(status: 404, body: ""), metrics: nil)
        #expect(elsewhere.entries.last?.text == "http://x answered 404")
    }

    @Test(
        "what answers as a service and has no metrics of one is a finding with its address, whether or not it is ready",
        arguments: [
            nil, .init(status: 404, body: "consentlink_ready 1\n"), .init(status: 200, body: ""),
            .init(status: 200, body: "# HELP consentlink_ready\nother_consentlink_ready 1\n"),
        ] as [ServiceDiagnosis.Answer?])
    func noMetrics(metrics: ServiceDiagnosis.Answer?) {
        for status in [200, 503] {
            let entries = ServiceDiagnosis(
                base: "http://x:8080", process: 7, readiness: .init(status: status, body: "{}"), metrics: metrics
            ).entries
            let found = entries.filter { $0.subject == "metrics" }
            #expect(found.count == 1)
            #expect(found.first?.text.hasPrefix("http://x:8080/metrics ") == true)
            #expect(found.first?.remedy?.contains("--api") == true)
        }
    }

    @Test(
        "the service of another folder is told with its folder, and nothing that it says of itself",
        arguments: [nil, 7])
    func neighbour(_ process: Int32?) throws {
        let entries = ServiceDiagnosis(
            base: "http://127.0.0.1:8081", process: process, listener: .init(process: 9, folder: "/srv/other"),
            readiness: .init(status: 200, body: "{}"), metrics: .init(status: 200, body: "consentlink_ready 1\n")
        ).entries
        let entry = try #require(entries.first)
        #expect(entries.count == 1)
        #expect(entry.text.hasPrefix(process == nil ? "no process has this folder; " : "process 7 has this folder; "))
        #expect(entry.text.hasSuffix("process 9 answers at http://127.0.0.1:8081 and has the folder /srv/other"))
        #expect(entry.remedy?.contains("--data /srv/other") == true)
    }

    @Test("a service whose folder cannot be known is told as such, and is no finding")
    func unknownFolder() {
        let entries = ServiceDiagnosis(
            base: "http://x", process: nil, readiness: .init(status: 200, body: "{}"),
            metrics: .init(status: 200, body: "consentlink_ready 1\n")
        ).entries
        #expect(entries.first?.text.contains("no visible process has this folder") == true)
        #expect(entries.allSatisfy { $0.remedy == nil })
    }

    @Test("the service that has the folder is told as before")
    func own() {
        let entries = ServiceDiagnosis(
            base: "http://127.0.0.1:8081", process: 7, listener: .init(process: 7, folder: "/srv/own"),
            readiness: .init(status: 200, body: "{}"), metrics: .init(status: 200, body: "consentlink_ready 1\n")
        ).entries
        #expect(entries.first?.text == "it runs as process 7")
        #expect(entries.map(\.subject) == ["service", "settings", "readiness"])
    }

    @Test("no answer is a finding while a process has the folder, and none otherwise")
    func silence() {
        let held = ServiceDiagnosis(base: "http://x", process: 7, readiness: nil, metrics: nil).entries
        #expect(held.map { $0.remedy != nil } == [true])
        let free = ServiceDiagnosis(base: "http://x", process: nil, readiness: nil, metrics: nil).entries
        #expect(free.map { $0.remedy != nil } == [false])
    }
}
