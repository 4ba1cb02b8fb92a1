import JSON
import Ledger

/// The output of `verify` for a valid receipt.
extension ReceiptFindings {
    /// The only member that does not follow from the proof.
    static let unproved = "/pii_processing/pii_controllers/0/party_name"

    /// - Parameter isCompared: whether its tree was compared with one that the reader had already.
    func rows(isCompared: Bool) -> [[String]] {
        let json = receipt.json
        let event = json["event"]
        let says = [
            event?["event_state"]?.text ?? "", "at", event?["event_time"]?.text ?? "",
            json["consentlink"]?["recorded_at"].map { "(recorded at \($0.text))" } ?? "",
        ]
        let size = checkpoint.head.size.counted("entry", "entries")
        return [
            ["ledger", checkpoint.checkpoint.origin.description],
            ["checkpoint", "\(size), root \(checkpoint.head.root.text); signed with this key"],
            ["record", "\(json["record_id"]?.text ?? ""), entry \(proof.index)"],
            ["person", json["pii_principal_id"]?.text ?? ""],
            ["purpose", purposes.joined(separator: ", ")],
            ["answer", says.filter { !$0.isEmpty }.joined(separator: " ")],
            ["words", "each follows from the private fields that the entry commits to"],
            ["not proved", "the organization's name, \(receipt.organizationName): no ledger has it"],
            [
                "since",
                isCompared
                    ? "leads to the same tree as your checkpoint" : "not compared with another checkpoint (--since)",
            ],
        ]
    }

    static let extent = "one consent record; it does not show later answers"

    var purposes: [String] {
        (receipt.json["pii_processing"]?["purposes"]?.elements ?? []).compactMap { $0["purpose"]?.text }
    }
}
