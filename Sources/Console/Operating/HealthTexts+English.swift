import Interactions

extension HealthTexts {
    static let all = Wording(english: english, german: german)

    private static let english = HealthTexts(
        title: "Health", noLoss: "No click is being lost.",
        loss: { "Clicks are not being recorded: \($0)." },
        redirected: { $0 == 1 ? "1 click was redirected" : "\($1) clicks were redirected" },
        lossSince: { "Since \($0), \($1) without a record." },
        lastLoss: { "From \($0) to \($1), \($2) without a record: \($3)." },
        neverLost: "No click was lost since the service started.",
        notAllReady: "No click is being lost, but the service is not ready for everything.",
        reason: { reason in
            switch reason {
            case .full: "the disk is full"
            case .failed: "the disk has failed"
            case .overloaded: "too many clicks wait for the disk"
            case .stuck: "the disk does not answer in time"
            case .quota: "the quota of an organization is used up"
            case .rate: "one link was followed too often"
            case .diskFloor: "the disk is nearly full, and the rest of it is for consent"
            case .stale: "the node may not know every withdrawal"
            }
        },
        noAnswer: "No answer from the service since {time} UTC.", oldNumbers: "These numbers are old.",
        links: "Links", api: "API", readiness: "Ready for", ready: "Ready", notReady: "Not ready", asOf: "As of",
        refresh: "Without scripts: ask again every second", stopRefreshing: "Stop refreshing",
        recorded: "Clicks recorded",
        unrecorded: "Clicks without a record", spoolDepth: "Waiting to be stored",
        spoolNote: "clicks on this node’s disk, not yet in the database", unjudged: "Clicks judged later",
        unjudgedNote: "since the start: recorded while this node could not know every withdrawal",
        commitMedian: "Commit time, median (p50)",
        commitMost: "Commit time, p99", commitNote: "in the last two minutes",
        noCommit: "no click in the last two minutes", dataDisk: "Free disk, data", backupDisk: "Free disk, backups",
        freeOf: { "of \($0)" }, ledgers: "Ledgers", ledgersOpen: "All open", ledgersClosed: "Closed",
        lastBackup: "Last backup", none: "none", unreadable: "its folder cannot be read",
        staleness: "Changes at other nodes", fresh: "All known here",
        stale: "Some may be unknown", age: { "as of \($0) s ago" },
        unrecordedCaption: "Clicks without a record, by reason",
        why: "Reason",
        clicks: "Clicks",
        sinceStart: "since the start", nothingUnrecorded: "Every click was recorded since the service started.",
        nodesTitle: "Nodes", node: "Node", state: "State", lastSeen: "Last seen, seconds ago", behind: "Changes behind",
        running: "Running", silent: "Silent", stopped: "Stopped",
        nodesAway: "The other nodes cannot be asked: the database does not answer.", day: "The last 24 hours",
        dayLead: "From this process’s memory: it begins empty with each start.",
        clicksCaption: "Clicks by half hours", spoolCaption: "Clicks that waited to be stored, by half hours",
        commitCaption: "Commit time, p99, by half hours",
        clicksFinding: { "Clicks in the last 24 hours: \($0) recorded, \($1) without a record." },
        spoolFinding: { "The most clicks that waited to be stored at one time: \($0)." },
        commitFinding: { "In the slowest minute, 99 of 100 commits took at most \($0)." },
        noCommitFinding: "No click was committed in the last 24 hours.", time: "Time",
        commitMicroseconds: "Commit time, p99, in µs", emptyDay: "Nothing was counted yet.", nowCaption: "Now",
        minutesCaption: "Minutes of the last 24 hours", name: "What", value: "Value")
}
