import Interactions

/// What the page of the service's health says.
struct HealthTexts: Sendable {
    let title: String
    let noLoss: String
    /// Between the reason and what follows.
    let loss: @Sendable (_ reason: String) -> String
    /// How many clicks were redirected, in the words that ``lossSince`` and ``lastLoss`` take.
    let redirected: @Sendable (_ count: UInt64, _ written: String) -> String
    let lossSince: @Sendable (_ since: String, _ redirected: String) -> String
    let lastLoss: @Sendable (_ since: String, _ until: String, _ redirected: String, _ reason: String) -> String
    let neverLost: String
    let notAllReady: String
    let reason: @Sendable (UnrecordedReason) -> String
    /// In the banner, by the script, when the page gets no answer. `{time}` stands for when there was one.
    let noAnswer: String
    let oldNumbers: String
    let links: String
    let api: String
    let readiness: String
    let ready: String
    let notReady: String
    let asOf: String
    let refresh: String
    let stopRefreshing: String
    let recorded: String
    let unrecorded: String
    let spoolDepth: String
    let spoolNote: String
    let unjudged: String
    let unjudgedNote: String
    let commitMedian: String
    let commitMost: String
    let commitNote: String
    let noCommit: String
    let dataDisk: String
    let backupDisk: String
    let freeOf: @Sendable (_ total: String) -> String
    let ledgers: String
    let ledgersOpen: String
    let ledgersClosed: String
    let lastBackup: String
    let none: String
    let staleness: String
    let fresh: String
    let stale: String
    let age: @Sendable (_ seconds: String) -> String
    let unrecordedCaption: String
    let why: String
    let clicks: String
    let sinceStart: String
    let nothingUnrecorded: String
    let nodesTitle: String
    let node: String
    let state: String
    let lastSeen: String
    let behind: String
    let running: String
    let silent: String
    let stopped: String
    let nodesAway: String
    let day: String
    let dayLead: String
    let clicksCaption: String
    let spoolCaption: String
    let commitCaption: String
    let clicksFinding: @Sendable (_ recorded: String, _ unrecorded: String) -> String
    let spoolFinding: @Sendable (_ most: String) -> String
    let commitFinding: @Sendable (_ most: String) -> String
    let noCommitFinding: String
    let time: String
    let commitMicroseconds: String
    let emptyDay: String
    let nowCaption: String
    let minutesCaption: String
    let name: String
    let value: String
}
