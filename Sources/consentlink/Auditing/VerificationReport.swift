import JSON
import Ledger

/// What `verify` says of a file that holds.
enum VerificationReport {
    case export(AuditFindings)
    case proof(ProofFindings)

    func lines(took: Duration) -> [String] {
        let rows =
            switch self {
            case .export(let findings): Self.rows(of: findings)
            case .proof(let findings): Self.rows(of: findings)
            }
        return Output.table(rows + [["took", Self.seconds(took) + " s"]])
    }

    func json(took: Duration) -> String {
        var writer = JSONWriter()
        writer.object { writer in
            writer.member("holds", true)
            switch self {
            case .export(let findings): writer.members(of: findings)
            case .proof(let findings): writer.members(of: findings)
            }
            writer.key("seconds")
            writer.raw(Array(Self.seconds(took).utf8))
        }
        return String(decoding: writer.bytes, as: UTF8.self)
    }

    static func json(of fault: AuditFault) -> String {
        var writer = JSONWriter()
        writer.object { writer in
            writer.member("holds", false)
            writer.member("reason", fault.description)
        }
        return String(decoding: writer.bytes, as: UTF8.self)
    }

    private static func rows(of findings: AuditFindings) -> [[String]] {
        let (tally, head) = (findings.tally, findings.checkpoint.head)
        let kinds = [
            (tally.decisions, "decisions"), (tally.consents, "consent records"), (tally.erasures, "erasures"),
            (tally.enforcements, "changes of enforcement"), (tally.purges, "purges"), (tally.others, "others"),
        ].filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
        let closed = tally.closedDecisions + tally.closedConsents
        return [
            ["ledger", findings.checkpoint.origin.description],
            ["checkpoint", "\(head.size) entries, root \(head.root.text); signed with this key"],
            ["exported", "\(findings.exportedAt), as it says itself"],
            [
                "extent",
                findings.filters.areNone
                    ? "whole: none of the \(head.size) entries is missing"
                    : "filtered (\(findings.filters.text)): what is in it is proved, what was left out cannot be seen",
            ],
            ["entries", "\(tally.entries) proved: " + (kinds.isEmpty ? "none" : kinds.joined(separator: ", "))],
            [
                "opened",
                "\(tally.opened) have the private fields and the salt that they commit to; "
                    + "\(closed) have none any more (erased, or kept no longer)",
            ],
            ["tiles", "\(findings.tiles), each hashed up to the root"],
            [
                "since",
                findings.since.map { "continues your checkpoint of \($0) entries" }
                    ?? "not compared with an earlier checkpoint (--since)",
            ],
            ["interactions", "\(findings.interactions), compared with the sums in the manifest alone"],
        ]
    }

    private static func rows(of findings: ProofFindings) -> [[String]] {
        [
            ["ledger", findings.checkpoint.origin.description],
            ["checkpoint", "\(findings.checkpoint.head.size) entries; signed with this key"],
            ["entry", "\(findings.index): \(String(decoding: findings.entry, as: UTF8.self))"],
            [
                "private",
                findings.fields.map { String(decoding: $0, as: UTF8.self) }
                    ?? "not there: erased, kept no longer, or never there",
            ],
        ]
    }

    private static func seconds(_ duration: Duration) -> String {
        let milliseconds = duration / .milliseconds(1)
        return String(Int64(milliseconds) / 1000) + "." + String(String(Int64(milliseconds) % 1000 + 1000).dropFirst())
    }
}

extension AuditFilters {
    fileprivate var text: String {
        [("recipient", recipient), ("message", message), ("from", from), ("to", to)]
            .compactMap { name, value in value.map { "\(name) \($0.filter { !$0.isNewline })" } }.joined(
                separator: ", ")
    }
}

extension JSONWriter {
    fileprivate mutating func members(of checkpoint: Checkpoint) {
        member("origin", checkpoint.origin.description)
        member("size", checkpoint.head.size)
        member("root", checkpoint.head.root.text)
    }

    fileprivate mutating func members(of findings: AuditFindings) {
        let tally = findings.tally
        member("kind", "export")
        members(of: findings.checkpoint)
        member("exportedAt", findings.exportedAt)
        member("whole", findings.filters.areNone)
        key("filters")
        object { writer in
            writer.member("recipient", findings.filters.recipient)
            writer.member("message", findings.filters.message)
            writer.member("from", findings.filters.from)
            writer.member("to", findings.filters.to)
        }
        key("entries")
        object { writer in
            writer.member("total", tally.entries)
            writer.member("decisions", tally.decisions)
            writer.member("consents", tally.consents)
            writer.member("erasures", tally.erasures)
            writer.member("enforcements", tally.enforcements)
            writer.member("purges", tally.purges)
            writer.member("others", tally.others)
            writer.member("opened", tally.opened)
            writer.member("closed", tally.closedDecisions + tally.closedConsents)
        }
        member("tiles", findings.tiles)
        member("interactions", findings.interactions)
        member("since", findings.since)
    }

    fileprivate mutating func members(of findings: ProofFindings) {
        member("kind", "proof")
        members(of: findings.checkpoint)
        member("index", findings.index)
        key("entry")
        raw(findings.entry)
        key("private")
        if let fields = findings.fields { raw(fields) } else { null() }
    }
}
