import Identifiers
import JSON
import Ledger

extension VerificationReport {
    /// - Parameter reason: why the file is refused; `nil` if it is not.
    func json(refusing reason: String?, took: Duration) -> [UInt8] {
        var writer = JSONWriter()
        writer.object { writer in
            writer.member("holds", reason == nil)
            if let reason { writer.member("reason", reason) }
            switch self {
            case .export(let findings): writer.members(of: findings)
            case .proof(let findings): writer.members(of: findings, kind: "proof")
            case .decision(let findings, let unproved):
                writer.members(of: findings, kind: "decision")
                writer.key("unproved")
                writer.array { writer in
                    for name in unproved { writer.string(name) }
                }
            case .receipt(let findings, let isCompared):
                writer.members(of: findings.proof, kind: "receipt")
                writer.key("unproved")
                writer.array { $0.string(ReceiptFindings.unproved) }
                writer.member("compared", isCompared)
            }
            writer.key("seconds")
            writer.raw(Array(Self.seconds(took).utf8))
        }
        return writer.bytes
    }

    /// - Parameter reason: the first thing that is invalid.
    static func json(of reason: String) -> [UInt8] {
        var writer = JSONWriter()
        writer.object { writer in
            writer.member("holds", false)
            writer.member("reason", reason)
        }
        return writer.bytes
    }
}

extension JSONWriter {
    fileprivate mutating func members(of checkpoint: Checkpoint) {
        member("origin", checkpoint.origin.description)
        member("size", checkpoint.head.size)
        member("root", checkpoint.head.root.text)
    }

    fileprivate mutating func members(of findings: AuditFindings) {
        let counts = findings.counts
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
            writer.member("total", counts.entries)
            writer.member("decisions", counts.decisions)
            writer.member("consents", counts.consents)
            writer.member("erasures", counts.erasures)
            writer.member("enforcements", counts.enforcements)
            writer.member("purges", counts.purges)
            writer.member("accesses", counts.accesses)
            writer.member("accessesForgotten", counts.accessesForgotten)
            writer.member("others", counts.others)
            writer.member("opened", counts.opened)
            writer.member("closed", counts.closedDecisions + counts.closedConsents + counts.closedAccesses)
        }
        key("recomputation")
        if let made = findings.recomputation { recomputation(made) } else { null() }
        member("tiles", findings.tiles)
        member("interactions", findings.interactions)
        member("since", findings.since)
    }

    private mutating func recomputation(_ made: Recomputation) {
        object { writer in
            writer.member("recomputed", made.recomputed)
            writer.member("untrackedMessages", made.untrackedMessages)
            writer.member("closed", made.closed)
            writer.member("aboutErased", made.aboutErased)
            writer.member("respelled", made.respelledCount)
            writer.key("respelledEntries")
            writer.array { writer in
                for entry in made.respelled { writer.integer(entry) }
            }
            writer.member("exceptions", made.exceptionCount)
            writer.key("listed")
            writer.array { writer in
                for exception in made.exceptions {
                    writer.object { writer in
                        writer.member("index", exception.index)
                        writer.member("id", exception.id.description)
                        writer.member("expected", exception.expected.description)
                        writer.member("found", exception.found.description)
                    }
                }
            }
        }
    }

    fileprivate mutating func members(of findings: ProofFindings, kind: String) {
        member("kind", kind)
        members(of: findings.checkpoint)
        member("index", findings.index)
        key("entry")
        raw(findings.entry)
        key("private")
        if let fields = findings.fields { raw(fields) } else { null() }
    }
}
