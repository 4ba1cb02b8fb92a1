package import Consent
import Cryptography
package import Identifiers
package import Ledger
import TestSupport

/// A row as a database has it, and the entry that is rendered of it.
package struct SampleRow {
    package var reason = DecisionReason.noConsentRecord
    package var recipient: RecipientID? = nil
    package var purpose = Purpose.tracking
    package var salt: Salt
    package let id: DecisionID
    package let message: MessageID

    package var fields: [UInt8] {
        PrivateFields.decision(recipient: recipient, message: message, purpose: purpose, consent: nil)
    }

    package func item(_ leaf: UInt64) throws -> LedgerItem {
        var committer = CommitmentHasher()
        let commit = committer.commitment(to: fields, salt: salt)
        let entry = LedgerEntry.decision(id: id, reason: reason, enforcement: .restrictive, commit: commit)
        return LedgerItem(
            leaf: leaf, subject: .decision(id), entry: entry.json,
            opening: LedgerItem.Opening(salt: salt, fields: fields))
    }
}

/// A ledger of decisions with a consent record, a change of enforcement, an erasure and a purge at its start. Every
/// decision is what follows from what comes before it.
package struct SampleLedger {
    package var rows: [SampleRow] = []
    package var events: [LedgerItem] = []
    package let endings: [LedgerEntry]
    package let tree: SampleTree
    package let signer: SignerKey
    package let checkpoint: SignedCheckpoint

    package static let instant = Timestamp(millisecondsSince1970: 1_795_251_600_000)
    package static let eventCount = 4

    /// - Parameter endings: entries behind the `count` others.
    package init(_ count: Int, signer: SignerKey? = nil, seed: UInt64 = 1, endings: [LedgerEntry] = []) throws {
        var generator = SeededGenerator(seed: seed)
        let record = ConsentRecordID(try TimeOrderedNumber("3357d7d9f4000001"))
        var committer = CommitmentHasher()
        let fields = PrivateFields.consent(
            ConsentRecord(
                id: record, purpose: .tracking, state: .given, occurredAt: Self.instant, recordedAt: Self.instant,
                validUntil: nil, evidence: ConsentEvidence(method: "form")),
            about: try RecipientID("ana@example.com"))
        let salt = Salt(using: &generator)
        let consent = LedgerEntry.consent(
            id: record, recordedAt: Self.instant, commit: committer.commitment(to: fields, salt: salt))
        let others: [LedgerEntry] = [
            .enforcement(at: Self.instant, .restrictive),
            .erasure(at: Self.instant, ErasureCounts(consents: 0, decisions: 0, interactions: 3)),
            .purge(at: Self.instant, decisions: 0, interactions: 9),
        ]
        let opening = LedgerItem.Opening(salt: salt, fields: fields)
        events = [LedgerItem(leaf: 0, subject: .consent(record), entry: consent.json, opening: opening)]
        for entry in others {
            events.append(
                LedgerItem(leaf: UInt64(events.count), subject: .event, entry: entry.json, opening: nil))
        }
        let message = MessageID(try TimeOrderedNumber("3357d7d9f4000002"))
        for number in 0..<max(0, count - Self.eventCount) {
            let id = DecisionID(try TimeOrderedNumber(String(0x3357_d7d9_f500_0000 + UInt64(number) << 12, radix: 16)))
            rows.append(
                SampleRow(
                    recipient: try RecipientID("person-\(number)@example.com"), salt: Salt(using: &generator), id: id,
                    message: message))
        }
        events = Array(events.prefix(count))
        self.endings = endings
        var hasher = TreeHasher()
        let items = try Self.items(events, rows, endings)
        tree = SampleTree(items.map { hasher.leaf($0.entry) })
        self.signer = try signer ?? someSigner()
        checkpoint = self.signer.sign(tree.head)
    }

    private init(entered other: SampleLedger) throws {
        (rows, events, endings, signer) = (other.rows, other.events, other.endings, other.signer)
        var hasher = TreeHasher()
        tree = SampleTree(try other.items().map { hasher.leaf($0.entry) })
        checkpoint = signer.sign(tree.head)
    }

    /// The same rows in a tree of their own: what somebody changed before they were entered.
    package func entered() throws -> SampleLedger { try SampleLedger(entered: self) }

    package func items() throws -> [LedgerItem] { try Self.items(events, rows, endings) }

    private static func items(
        _ events: [LedgerItem], _ rows: [SampleRow], _ endings: [LedgerEntry]
    ) throws -> [LedgerItem] {
        let items = try events + rows.enumerated().map { try $0.element.item(UInt64(events.count + $0.offset)) }
        return items
            + endings.enumerated().map { place, entry in
                LedgerItem(
                    leaf: UInt64(items.count + place), subject: .event, entry: entry.json, opening: nil)
            }
    }

    package func consistency(from size: UInt64) throws -> ConsistencyProof? {
        var hasher = TreeHasher()
        return ProofNodes(consistencyFrom: size, to: tree.head.size)?.hashes(in: { tree.tiles[$0] }, &hasher).map {
            ConsistencyProof(oldSize: size, hashes: $0)
        }
    }

    /// The proof of an entry, with what opens it; `nil` where there is no such entry.
    package func proof(of index: Int, _ item: LedgerItem? = nil) throws -> TLogProof? {
        var hasher = TreeHasher()
        let hashes = ProofNodes(inclusionOf: UInt64(index), inTreeOf: tree.head.size)?.hashes(
            in: { tree.tiles[$0] }, &hasher)
        return try hashes.map { hashes in
            TLogProof(
                extra: try (item ?? items()[index]).extra,
                inclusion: InclusionProof(index: UInt64(index), hashes: hashes), note: checkpoint.note)
        }
    }

    /// An export as the service makes it, of whatever its database says now.
    package func export(
        _ items: [LedgerItem]? = nil, checkpoint: SignedCheckpoint? = nil,
        tiles: [Tile]? = nil, filters: AuditFilters = .none, consistency: ConsistencyProof? = nil
    ) throws -> [UInt8] {
        let items = try items ?? self.items()
        var writer = AuditExportWriter(
            checkpoint ?? self.checkpoint, filters: filters, consistency: consistency, at: Self.instant)
        var bytes = writer.begin()
        let size = tree.head.size
        let places =
            filters.areNone
            ? AuditTiles.whole(inTreeOf: size) : AuditTiles.some(Set(items.map { $0.leaf / 256 }), inTreeOf: size)
        for tile in tiles ?? places.compactMap({ tree.tiles[$0] }) { bytes += writer.add(tile) }
        for item in items { bytes += writer.add(item) }
        for number in 0..<2 { bytes += writer.add(interaction: Self.interaction(number)) }
        return bytes + writer.finish()
    }

    private static func interaction(_ number: Int) -> [UInt8] {
        Array(
            #"{"id":"3357d7d9f600000\#(number)","type":"PushLinkClicked","occurredAt":"\#(instant.rfc3339)","#.utf8)
            + Array(
                #""recordedAt":"\#(instant.rfc3339)","recipient":null,"message":"3357d7d9f4000002","link":null,"#.utf8)
            + Array(#""action":null,"source":"redirect","automated":false,"first":true}"#.utf8)
    }

    package func verify(_ bytes: [UInt8], since: SignedCheckpoint? = nil, chunk: Int = 1 << 20) throws(AuditFault)
        -> AuditFindings
    {
        var verifier = AuditVerifier(key: signer.verifier, since: since)
        var rest = bytes[...]
        while !rest.isEmpty {
            try verifier.take(Array(rest.prefix(chunk)))
            rest = rest.dropFirst(chunk)
        }
        return try verifier.finish()
    }

    /// What does not hold; `nil` where everything does.
    package func fault(in bytes: [UInt8], since: SignedCheckpoint? = nil) -> AuditFault? {
        do throws(AuditFault) {
            _ = try verify(bytes, since: since)
            return nil
        } catch { return error }
    }
}

extension AuditFault {
    /// The entry that it names, and what it says of it.
    package var entry: (index: UInt64, fault: EntryFault)? {
        guard case .entry(let place, let fault) = self else { return nil }
        return (place.index, fault)
    }
}

extension LedgerItem {
    package func at(_ leaf: UInt64) -> LedgerItem {
        LedgerItem(leaf: leaf, subject: subject, entry: entry, opening: opening)
    }

    package func opened(by opening: Opening?) -> LedgerItem {
        LedgerItem(leaf: leaf, subject: subject, entry: entry, opening: opening)
    }
}
