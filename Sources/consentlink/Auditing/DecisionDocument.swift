import JSON
import Ledger

/// A saved answer of the service about a decision, which contains its proof.
struct DecisionDocument {
    /// Larger than any answer: a decision, its consent record, a hundred interactions and a proof.
    static let maximumLength = 8 << 20

    private let document: JSONValue
    private let proof: [UInt8]

    /// Members that the proof does not cover.
    private static let unproved = ["policy", "consentRecord", "interactions", "next"]
    private static let publicMembers = ["outcome", "reason", "enforcement"]
    private static let privateMembers = ["recipient", "message", "purpose", "consent"]
    private static let known = Set(
        ["id", "decidedAt", "activity", "proof"] + publicMembers + privateMembers + unproved)
    /// The most other members that are named.
    private static let maximumOtherCount = 10

    init(_ bytes: [UInt8]) throws(AuditFault) {
        guard let document = try? JSONValue.parse(bytes), case .string(let proof) = document["proof"] else {
            throw .document("it is not an answer about a decision with a proof")
        }
        self.document = document
        self.proof = Array(proof.utf8)
    }

    func verify(by key: VerifierKey) throws(AuditFault) -> VerificationReport {
        let read: TLogProof
        do throws(LedgerError) {
            read = try TLogProof(EvidenceFile.endingInOneNewline(proof))
        } catch { throw .proof(error) }
        let findings = try read.verify(by: key)
        guard let entry = try? JSONValue.parse(findings.entry), entry["type"] == .string("decision") else {
            throw .document("its proof is not that of a decision")
        }
        try compare(entry, [("id", "id"), ("at", "decidedAt")] + Self.same(Self.publicMembers))
        // Missing in an entry about both activities, and in an answer of a version without separate activities; else
        // null there.
        guard (entry["activity"] ?? .null) == (document["activity"] ?? .null) else {
            throw .document("its activity is not the one that its proof proves")
        }
        guard let fields = findings.fields else {
            // Erased with the private fields: nothing proves these members of the document.
            return .decision(findings, unproved: Self.privateMembers + Self.unproved + others)
        }
        let opened = (try? JSONValue.parse(fields)) ?? .null
        try compare(opened, Self.same(Self.privateMembers))
        return .decision(findings, unproved: Self.unproved + others)
    }

    /// Members that no answer of this version has: another party added them, or a later version answered.
    private var others: [String] {
        guard case .object(let members) = document else { return [] }
        let others = members.members.map(\.name).filter { !Self.known.contains($0) }
        let listed = others.prefix(Self.maximumOtherCount).map(\.shown)
        return listed + (others.count > listed.count ? ["\((others.count - listed.count).grouped) more"] : [])
    }

    private static func same(_ names: [String]) -> [(String, String)] { names.map { ($0, $0) } }

    /// - Parameter names: the names of members in the proved entry, and in the document.
    private func compare(_ proved: JSONValue, _ names: [(proved: String, own: String)]) throws(AuditFault) {
        for (name, own) in names where proved[name] != document[own] {
            throw .document("its \(own) is not the value that its proof proves")
        }
    }
}
