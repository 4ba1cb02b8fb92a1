import Counting
import StoragePorts

/// How far this node is behind the others, and how well it could work without the storage that they share.
struct NodeMetrics: MetricSource {
    /// `nil` if no other service shares the storage.
    let shared: (any SharedStorage)?
    /// `nil` if there is none. A node that could not open its own has lacked all of it since it began.
    let mirror: (any NodeMirror)?
    /// How many clicks were spooled while the node was not fresh.
    let unjudged: @Sendable () -> UInt64
    private let begun = ContinuousClock.now

    init(
        shared: (any SharedStorage)?, mirror: (any NodeMirror)?, unjudged: @escaping @Sendable () -> UInt64
    ) {
        self.shared = shared
        self.mirror = mirror
        self.unjudged = unjudged
    }

    private var mirrorLag: Duration {
        if let mirror { return mirror.lag }
        return shared == nil ? .zero : .now - begun
    }

    var metrics: [MetricFamily] {
        let passages = shared?.fencePassages ?? FencePassages()
        return [
            .gauge(
                "consentlink_node_staleness_seconds",
                "Seconds for which the node may not know a withdrawal; it is fresh below 1. 0 without other nodes.",
                shared.map { $0.staleness.map { $0 / .seconds(1) } ?? .infinity } ?? 0),
            .gauge(
                "consentlink_fence_waiting",
                "Changes that are not answered yet because another node may not know them.",
                Double(shared?.waitingAtFence ?? 0)),
            .counters(
                "consentlink_fence_passed_total",
                "Changes that were answered because each node knew them or was no longer fresh.",
                [([.init("reason", "known")], passages.known), ([.init("reason", "expired")], passages.expired)]),
            .counter(
                "consentlink_clicks_unjudged_total",
                "Clicks that were spooled while the node was not fresh; they are judged when they are stored.",
                unjudged()),
            .gauge(
                "consentlink_mirror_lag_seconds",
                "Seconds for which the node's mirror has lacked a message or a change. 0 without other nodes.",
                mirrorLag / .seconds(1)),
        ]
    }
}
