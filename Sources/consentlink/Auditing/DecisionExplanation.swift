import JSON

/// The service's answer about a decision in words.
struct DecisionExplanation {
    let lines: [String]

    init(_ decision: JSONValue, messageName: String?, proof: String) {
        func text(_ name: String) -> String { decision[name]?.text ?? "-" }
        let about =
            if case .string(let activity)? = decision["activity"] { ", for \(activity) alone" } else { "" }
        let name = messageName.map { " (\($0))" } ?? ""
        var rows = [
            ["decision", "\(text("id")), made at \(text("decidedAt"))"],
            ["outcome", "\(text("outcome")), \(text("reason"))"],
            ["why", decision["policy"]?["rule"]?.text ?? "-"],
            ["enforcement", text("enforcement")],
            [
                "recipient",
                decision["recipient"] == .null ? "not known any more: erased, or retention ended" : text("recipient"),
            ],
            ["message", text("message") + name],
            ["purpose", text("purpose") + about],
        ]
        rows += Self.record(decision)
        let interactions = decision["interactions"]?.elements ?? []
        let more = decision["next"] == .null || decision["next"] == nil ? "" : " and more"
        let isNothing = interactions.isEmpty && more.isEmpty
        // Without the recipient, interactions cannot be looked up, so none of them is no statement about them.
        let none = decision["recipient"] == .null ? "not known any more" : "nothing"
        rows.append(["recorded since", isNothing ? none : interactions.count.counted("interaction") + more])
        rows += interactions.map { ["", "\($0["occurredAt"]?.text ?? "-")  \($0["type"]?.text ?? "-")"] }
        rows.append(["proof", proof])
        lines = Output.table(rows)
    }

    private static func record(_ decision: JSONValue) -> [[String]] {
        guard let record = decision["consentRecord"], record != .null else {
            return [
                [
                    "rests on",
                    decision["consent"] == .null
                        ? "no consent record" : "consent record \(decision["consent"]?.text ?? "-")",
                ]
            ]
        }
        func text(_ name: String) -> String { record[name]?.text ?? "-" }
        var rows = [
            ["rests on", "consent record \(text("id")): \(text("state")) for \(text("purpose"))"],
            ["", "occurred at \(text("occurredAt")), recorded at \(text("recordedAt"))"],
        ]
        if record["validUntil"].map({ $0 != .null }) ?? false {
            rows.append(["", "valid until \(text("validUntil"))"])
        }
        let evidence = ["method", "source", "actor", "language"].compactMap { name in
            record["evidence"]?[name].map { ["", "\(name) \($0.text)"] }
        }
        let notice = ["id", "version", "language", "sha256"].compactMap { name in
            record["evidence"]?["notice"]?[name].map { "\(name) \($0.text)" }
        }
        rows += evidence.isEmpty && notice.isEmpty ? [["", "without evidence"]] : evidence
        if !notice.isEmpty { rows.append(["", "notice " + notice.joined(separator: ", ")]) }
        return rows
    }
}
