import Consent
import Identifiers
import Ledger
import LedgerSamples
import TestSupport
import Testing

/// A ledger of consent records, each of another person, behind a change of enforcement and a decision.
struct SampleRecords {
    static let instant = Timestamp(millisecondsSince1970: 1_795_251_600_000)

    static let full = ConsentEvidence(
        method: "consent-request", source: "https://shop.example/account",
        notice: .init(id: "privacy", version: "3", language: "fr", sha256: "9f86d081"), actor: "subject")

    let items: [LedgerItem]
    let tree: SampleTree
    let signer: SignerKey
    let note: SignedNote

    /// - Parameter origin: of the ledger, whose last part is the organization.
    init(origin: String = "links.example.com/acme", seed: UInt8 = 7) throws {
        var generator = SeededGenerator(seed: 11)
        var committer = CommitmentHasher()
        var items = [
            LedgerItem(
                leaf: 0, subject: .event, entry: LedgerEntry.enforcement(at: Self.instant, .restrictive).json,
                opening: nil),
            try SampleLedger(10).items()[6].at(1),
        ]
        for (number, record) in try Self.records().enumerated() {
            let (salt, leaf) = (Salt(using: &generator), UInt64(items.count))
            let fields = PrivateFields.consent(record, about: try RecipientID("person-\(number)@example.com"))
            let entry = LedgerEntry.consent(
                id: record.id, recordedAt: record.recordedAt, commit: committer.commitment(to: fields, salt: salt))
            items.append(
                LedgerItem(
                    leaf: leaf, subject: .consent(record.id), entry: entry.json,
                    opening: .init(salt: salt, fields: fields)))
        }
        var hasher = TreeHasher()
        self.items = items
        tree = SampleTree(items.map { hasher.leaf($0.entry) })
        signer = try someSigner(origin, seed: seed)
        note = signer.sign(tree.head).note
    }

    /// The first with all that a record can have, the second withdrawn, the third with nothing but what it must have.
    private static func records() throws -> [ConsentRecord] {
        let given: (ConsentState, Timestamp?, ConsentEvidence?) = (
            .given, instant.advanced(byMilliseconds: 60_000), full
        )
        return try [
            given, (.withdrawn, nil, ConsentEvidence(method: "withdrawal-page", actor: "subject")),
            (.refused, nil, nil),
        ].enumerated().map { number, parts in
            ConsentRecord(
                id: try ConsentRecordID("3357d7d9f40000\(10 + number)"), purpose: .tracking, state: parts.0,
                occurredAt: instant, recordedAt: instant.advanced(byMilliseconds: Int64(number)), validUntil: parts.1,
                evidence: parts.2)
        }
    }

    static let given = 2
    static let withdrawn = 3
    static let bare = 4

    /// - Parameter item: in the place of what the ledger has there.
    func proof(of index: Int, _ item: LedgerItem? = nil) throws -> TLogProof {
        var hasher = TreeHasher()
        let nodes = try #require(ProofNodes(inclusionOf: UInt64(index), inTreeOf: tree.head.size))
        let hashes = try #require(nodes.hashes(in: { tree.tiles[$0] }, &hasher))
        return TLogProof(
            extra: (item ?? items[index]).extra, inclusion: InclusionProof(index: UInt64(index), hashes: hashes),
            note: note)
    }

    func receipt(of index: Int, name: String = "Acme") throws -> ConsentReceipt {
        try ConsentReceipt(proof(of: index), organizationName: name)
    }

    /// What does not hold; `nil` where everything does.
    func fault(_ bytes: [UInt8], key: VerifierKey? = nil) -> ReceiptFault? {
        do throws(ReceiptFault) {
            _ = try ConsentReceipt.verify(bytes, by: key ?? signer.verifier)
            return nil
        } catch { return error }
    }
}
