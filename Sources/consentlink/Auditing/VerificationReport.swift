import Identifiers
import Ledger

/// The output of `verify` for a file that agrees with the ledger.
enum VerificationReport {
    case export(AuditFindings)
    case proof(ProofFindings)
    /// The service's answer about a decision, with the members that its proof does not cover.
    case decision(ProofFindings, unproved: [String])
    /// A person's receipt, and whether its tree was compared with a checkpoint of the reader.
    case receipt(ReceiptFindings, isCompared: Bool)

    /// Why it is nevertheless invalid: some decisions do not follow from its content.
    var exceptions: (count: UInt64, listed: [DecisionException])? {
        guard case .export(let findings) = self, let made = findings.recomputation, made.exceptionCount > 0 else {
            return nil
        }
        return (made.exceptionCount, made.exceptions)
    }

    var isWhole: Bool {
        if case .export(let findings) = self { findings.filters.areNone } else { false }
    }

    /// Why it is invalid; `nil` if it is valid.
    var reason: String? {
        exceptions.map { exceptions in
            exceptions.count == 1
                ? "1 decision does not follow from the entries before it"
                : "\(exceptions.count) decisions do not follow from the entries before them"
        }
    }

    /// The text for people; the extent comes last.
    func lines(took: Duration) -> [String] {
        let time = ["took", Self.seconds(took) + " s"]
        let rows =
            switch self {
            case .export(let findings): Self.rows(of: findings) + [time, ["extent", Self.extent(of: findings)]]
            case .proof(let findings):
                Self.rows(of: findings) + [time, ["extent", "one entry, and nothing of others"]]
            case .decision(let findings, let unproved):
                Self.rows(of: findings) + [
                    ["not proved", unproved.joined(separator: ", ") + ", which are also in the document"], time,
                    ["extent", "one entry, and nothing of others"],
                ]
            case .receipt(let findings, let isCompared):
                findings.rows(isCompared: isCompared) + [time, ["extent", ReceiptFindings.extent]]
            }
        return Output.table(rows)
    }

    private static func rows(of findings: AuditFindings) -> [[String]] {
        let (counts, head) = (findings.counts, findings.checkpoint.head)
        let kinds = [
            (counts.decisions, "decision", "decisions"), (counts.consents, "consent record", "consent records"),
            (counts.erasures, "erasure", "erasures"),
            (counts.enforcements, "change of enforcement", "changes of enforcement"),
            (counts.purges, "purge", "purges"), (counts.accesses, "access", "accesses"),
            (counts.accessesForgotten, "forgetting of accesses", "forgettings of accesses"),
            (counts.others, "other", "others"),
        ].filter { $0.0 > 0 }.map { $0.0.counted($0.1, $0.2) }
        let closed = counts.closedDecisions + counts.closedConsents + counts.closedAccesses
        return [
            ["ledger", findings.checkpoint.origin.description],
            ["checkpoint", "\(head.size.counted("entry", "entries")), root \(head.root.text); signed with this key"],
            ["exported", "\(findings.exportedAt), as it says itself"],
            [
                "entries",
                "\(counts.entries.grouped) proved: " + (kinds.isEmpty ? "none" : kinds.joined(separator: ", ")),
            ],
            [
                "opened",
                "\(counts.opened.grouped) with the private fields and the salt that they commit to; "
                    + "\(closed.grouped) without (erased, or retention ended)",
            ],
            ["decisions", decisions(of: findings)],
            ["tiles", "\(findings.tiles.grouped), each hashed up to the root"],
            [
                "since",
                findings.since.map { "continues your checkpoint of \($0.counted("entry", "entries"))" }
                    ?? "not compared with an earlier checkpoint (--since)",
            ],
            ["interactions", "\(findings.interactions.grouped), compared with the sums in the manifest alone"],
        ]
    }

    private static func decisions(of findings: AuditFindings) -> String {
        guard let made = findings.recomputation else {
            return "not recomputed: a part of a ledger does not have all entries that they follow from"
        }
        var parts = ["\(made.recomputed.grouped) recomputed from the consent records and the enforcement before each"]
        if made.exceptionCount > 0 {
            let verb = made.exceptionCount == 1 ? "DOES" : "DO"
            parts.append("\(made.exceptionCount.grouped) \(verb) NOT FOLLOW FROM THEM")
        }
        if made.untrackedMessages > 0 {
            parts.append("\(made.untrackedMessages.grouped) rest on their message alone, whose tracking is off")
        }
        if made.closed > 0 {
            parts.append("\(made.closed.grouped) without private fields, of which the enforcement alone was compared")
        }
        if made.aboutErased > 0 {
            parts.append("\(made.aboutErased.grouped) about erased recipients, whom no entry names")
        }
        if made.respelledCount > 0 {
            let entries = made.respelled.prefix(3).map { "\($0)" }.joined(separator: ", ")
            parts.append(
                "\(made.respelledCount.counted("e-mail address", "e-mail addresses")) in several spellings (entries "
                    + "\(entries)\(made.respelledCount > 3 ? ", …" : "")), each judged as a recipient of its own")
        }
        return parts.joined(separator: "; ")
    }

    private static func extent(of findings: AuditFindings) -> String {
        findings.filters.areNone
            ? "whole: none of the \(findings.checkpoint.head.size.counted("entry", "entries")) is missing"
            : "FILTERED (\(findings.filters.text)): its content is proved, omitted entries cannot be seen"
    }

    private static func rows(of findings: ProofFindings) -> [[String]] {
        let size = findings.checkpoint.head.size.counted("entry", "entries")
        return [
            ["ledger", findings.checkpoint.origin.description],
            ["checkpoint", "\(size), root \(findings.checkpoint.head.root.text); signed with this key"],
            ["entry", "\(findings.index): \(String(decoding: findings.entry, as: UTF8.self))"],
            [
                "private",
                findings.fields.map { String(decoding: $0, as: UTF8.self) }
                    ?? "not there: erased, retention ended, or never there",
            ],
        ]
    }

    static func seconds(_ duration: Duration) -> String {
        let milliseconds = duration / .milliseconds(1)
        return String(Int64(milliseconds) / 1000) + "." + String(String(Int64(milliseconds) % 1000 + 1000).dropFirst())
    }
}

extension DecisionException {
    var line: String { "entry \(index) (decision \(id)): found \(found); expected \(expected)" }
}

extension AuditFilters {
    fileprivate var text: String {
        [("recipient", recipient), ("message", message), ("from", from), ("to", to)]
            .compactMap { name, value in value.map { "\(name) \($0.shown)" } }.joined(separator: ", ")
    }
}

extension BinaryInteger {
    fileprivate var grouped: String { Int(clamping: self).grouped }
}
