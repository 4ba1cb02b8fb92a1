import Consent
import JSON
import LedgerSamples
import Testing

@testable import Ledger
@testable import consentlink

@Suite struct VerificationReportTests {
    private static let took = Duration.milliseconds(1234)

    private func findings(_ count: Int, filters: AuditFilters = .none) throws -> AuditFindings {
        let ledger = try SampleLedger(count)
        return try ledger.verify(ledger.export(filters: filters))
    }

    private func exceptions(_ count: Int) throws -> AuditFindings {
        var made = Recomputation()
        let row = try SampleLedger(5).rows[0]
        for index in 0..<count {
            made.add(
                DecisionException(
                    index: UInt64(index), id: row.id, expected: .noDecision,
                    found: .init(.restrictive, .noConsentRecord, nil)))
        }
        let whole = try findings(5)
        return AuditFindings(
            checkpoint: whole.checkpoint, filters: .none, counts: whole.counts, tiles: 1, interactions: 2,
            exportedAt: whole.exportedAt, recomputation: made, since: 3)
    }

    private func rows(_ report: VerificationReport) -> [String: String] {
        let rows = report.lines(took: Self.took).map { line in
            let parts = line.split(separator: "  ", maxSplits: 1)
            return (String(parts[0]), parts.count > 1 ? parts[1].trimmingPrefix(while: { $0 == " " }) : "")
        }
        return Dictionary(uniqueKeysWithValues: rows.map { ($0, String($1)) })
    }

    private func json(_ report: VerificationReport) throws -> JSONValue {
        try JSONValue.parse(report.json(refusing: report.reason, took: Self.took))
    }

    @Test("a whole export is told with what was proved of it, the extent last")
    func whole() throws {
        let report = VerificationReport.export(try findings(300))
        let rows = rows(report)
        #expect(rows["ledger"] == "links.example.com/acme")
        #expect(rows["checkpoint"]?.hasPrefix("300 entries, root ") == true)
        #expect(
            rows["entries"]
                == "300 proved: 296 decisions, 1 consent record, 1 erasure, 1 change of enforcement, 1 purge")
        #expect(rows["opened"]?.hasPrefix("297 with the private fields") == true)
        #expect(rows["opened"]?.contains("; 0 without ") == true)
        #expect(rows["decisions"]?.hasPrefix("296 recomputed from") == true)
        #expect(rows["since"] == "not compared with an earlier checkpoint (--since)")
        #expect(rows["interactions"]?.hasPrefix("2, compared with") == true)
        #expect(rows["took"] == "1.234 s")
        #expect(report.lines(took: Self.took).last?.hasPrefix("extent") == true)
        #expect(rows["extent"] == "whole: none of the 300 entries is missing")
        #expect(report.reason == nil)
        #expect(report.isWhole)
    }

    @Test("its JSON says the same")
    func wholeJSON() throws {
        let document = try json(.export(try findings(300)))
        #expect(document["holds"] == .bool(true))
        #expect(document["reason"] == nil)
        #expect(document["kind"]?.text == "export")
        #expect(document["whole"] == .bool(true))
        let expected = [
            "total": 300, "decisions": 296, "consents": 1, "erasures": 1, "enforcements": 1, "purges": 1, "others": 0,
            "opened": 297, "closed": 0,
        ]
        for (name, count) in expected { #expect(document["entries"]?[name] == .integer(count), "\(name)") }
        #expect(document["recomputation"]?["recomputed"] == .integer(296))
        #expect(document["recomputation"]?["listed"]?.elements == [])
        #expect(document["since"] == .null)
        #expect(document["seconds"]?.text == "1.234")
    }

    @Test("a filtered export is not whole, and says what it was filtered by")
    func filtered() throws {
        let whole = try findings(5)
        let filters = AuditFilters(recipient: "ana\u{1B}@example.com", message: nil, from: "2026-01-01", to: nil)
        let report = VerificationReport.export(
            AuditFindings(
                checkpoint: whole.checkpoint, filters: filters, counts: whole.counts, tiles: 1, interactions: 0,
                exportedAt: whole.exportedAt, recomputation: nil, since: nil))
        #expect(!report.isWhole)
        let rows = rows(report)
        #expect(rows["extent"]?.hasPrefix("FILTERED (recipient ana\\u{1B}@example.com, from 2026-01-01): ") == true)
        #expect(
            rows["decisions"] == "not recomputed: a part of a ledger does not have all entries that they follow from")
        let document = try json(report)
        #expect(document["whole"] == .bool(false))
        #expect(document["recomputation"] == .null)
        #expect(document["filters"]?["recipient"]?.text == "ana\u{1B}@example.com")
        #expect(document["filters"]?["message"] == .null)
    }

    @Test(
        "decisions that do not follow are why it does not hold",
        arguments: [(1, "1 decision does not"), (2, "2 decisions do not")])
    func exceptional(_ count: Int, _ reason: String) throws {
        let report = VerificationReport.export(try exceptions(count))
        #expect(report.reason?.hasPrefix(reason) == true)
        let verb = count == 1 ? "DOES" : "DO"
        #expect(rows(report)["decisions"]?.contains("; \(count) \(verb) NOT FOLLOW FROM THEM") == true)
        #expect(rows(report)["since"] == "continues your checkpoint of 3 entries")
        let document = try json(report)
        #expect(document["holds"] == .bool(false))
        #expect(document["reason"]?.text.hasPrefix(reason) == true)
        let listed = document["recomputation"]?["listed"]?.elements ?? []
        #expect(listed.count == count)
        #expect(listed.first?["index"] == .integer(0))
        #expect(listed.first?["expected"]?.text.hasPrefix("no decision, because") == true)
        let exceptions = try #require(report.exceptions)
        #expect(exceptions.listed[0].line.hasPrefix("entry 0 (decision 3357d7d9f5000000): found "))
    }

    @Test("what could be compared in part alone is counted apart")
    func partly() throws {
        let whole = try findings(5)
        var made = Recomputation()
        (made.recomputed, made.closed, made.aboutErased, made.untrackedMessages) = (1000, 1, 2, 3)
        let report = VerificationReport.export(
            AuditFindings(
                checkpoint: whole.checkpoint, filters: .none, counts: whole.counts, tiles: 1, interactions: 0,
                exportedAt: whole.exportedAt, recomputation: made, since: nil))
        #expect(
            rows(report)["decisions"]
                == "1,000 recomputed from the consent records and the enforcement before each; "
                + "3 rest on their message alone, whose tracking is off; "
                + "1 without private fields, of which the enforcement alone was compared; "
                + "2 about erased recipients, whom no entry names")
        #expect(report.reason == nil)
    }

    @Test("addresses in several spellings are counted, and the entries named")
    func respelled() throws {
        let whole = try findings(5)
        var made = Recomputation()
        for entry in [7, 9, 11, 12] as [UInt64] { made.addRespelled(entry) }
        let report = VerificationReport.export(
            AuditFindings(
                checkpoint: whole.checkpoint, filters: .none, counts: whole.counts, tiles: 1, interactions: 0,
                exportedAt: whole.exportedAt, recomputation: made, since: nil))
        let said =
            "; 4 e-mail addresses in several spellings (entries 7, 9, 11, …), each judged as a recipient of its own"
        #expect(rows(report)["decisions"]?.hasSuffix(said) == true)
        let document = try json(report)
        #expect(document["recomputation"]?["respelled"] == .integer(4))
        #expect(document["recomputation"]?["respelledEntries"]?.elements.count == 4)
    }

    @Test("a proof is told with its entry, and with the private fields where they are")
    func proof() throws {
        let ledger = try SampleLedger(10)
        let opened = try #require(try ledger.proof(of: 6)).verify(by: ledger.signer.verifier)
        var rows = rows(.proof(opened))
        #expect(rows["entry"]?.hasPrefix("6: {") == true)
        #expect(rows["private"]?.contains("person-2@example.com") == true)
        #expect(rows["extent"] == "one entry, and nothing of others")
        let document = try json(.proof(opened))
        #expect(document["kind"]?.text == "proof")
        #expect(document["index"] == .integer(6))
        #expect(document["private"]?["recipient"]?.text == "person-2@example.com")
        #expect(document["entry"]?["type"]?.text == "decision")
        let closed = try #require(try ledger.proof(of: 6, ledger.items()[6].opened(by: nil))).verify(
            by: ledger.signer.verifier)
        rows = self.rows(.proof(closed))
        #expect(rows["private"] == "not there: erased, retention ended, or never there")
        #expect(try json(.proof(closed))["private"] == .null)
        #expect(!VerificationReport.proof(closed).isWhole)
    }

    @Test("a decision is told with what its proof does not cover")
    func decision() throws {
        let ledger = try SampleLedger(10)
        let findings = try #require(try ledger.proof(of: 6)).verify(by: ledger.signer.verifier)
        let report = VerificationReport.decision(findings, unproved: ["policy", "next"])
        #expect(rows(report)["not proved"] == "policy, next, which are also in the document")
        #expect(try json(report)["unproved"]?.elements.map(\.text) == ["policy", "next"])
        #expect(try json(report)["kind"]?.text == "decision")
    }

    @Test("a fault as JSON does not hold, and says why")
    func fault() throws {
        let document = try JSONValue.parse(
            VerificationReport.json(of: AuditFault.replayed(size: 1, held: 2).description))
        #expect(document["holds"] == .bool(false))
        #expect(document["reason"]?.text == AuditFault.replayed(size: 1, held: 2).description)
    }

    @Test(
        "seconds have three places",
        arguments: [(0, "0.000"), (1, "0.001"), (999, "0.999"), (1000, "1.000"), (61_050, "61.050")])
    func seconds(_ milliseconds: Int, _ text: String) {
        #expect(VerificationReport.seconds(.milliseconds(milliseconds)) == text)
    }
}
