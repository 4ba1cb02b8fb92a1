import StoragePorts

/// The state of the nodes that share a database, as they report it.
struct NodesDiagnosis {
    /// A node that is further behind cannot catch up within seconds.
    private static let maximumBacklog = 10_000

    let nodes: [Node]

    var entries: [DiagnosisEntry] { nodes.map(entry) + versions }

    private func entry(_ node: Node) -> DiagnosisEntry {
        let clicks = "\(node.spooled) \(node.spooled == 1 ? "click" : "clicks") in its spool"
        let seconds = node.lastBeat.components.seconds
        return switch node.state {
        case .stopped:
            DiagnosisEntry(
                "node", "\(node.name) was ended, with \(clicks)",
                remedy: node.spooled > 0 ? "Start it again: its clicks are stored then." : nil)
        case .running where !node.isAlive:
            DiagnosisEntry(
                "node", "\(node.name) has been silent for \(seconds) s, with \(clicks) or more",
                remedy: """
                    See whether it runs and reaches the database. If its machine does not come back: \
                    consentlink node remove \(node.name) --force, which gives up the clicks in its spool
                    """)
        case .running:
            DiagnosisEntry(
                "node",
                "\(node.name) runs version \(node.version), \(node.changesBehind) changes behind, with \(clicks)",
                remedy: node.changesBehind > Self.maximumBacklog
                    ? "It does not follow the others: see whether its processor or its disk is too slow." : nil)
        }
    }

    private var versions: [DiagnosisEntry] {
        let running = Dictionary(grouping: nodes.filter(\.isAlive), by: \.version)
        guard running.count > 1 else { return [] }
        let text = running.sorted { $0.key < $1.key }
            .map { version, nodes in "\(version) (\(nodes.map(\.name.description).joined(separator: ", ")))" }
        return [
            DiagnosisEntry(
                "nodes", "they run versions \(text.joined(separator: " and "))",
                remedy: "Upgrade the others, one after the other (docs/many-nodes.md, Upgrading).")
        ]
    }
}
