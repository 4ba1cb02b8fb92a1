import Interactions

/// The texts of the page about the service's health.
struct HealthTexts: Sendable {
    let title: String
    let noLoss: String
    /// The text between the reason and the rest.
    let loss: @Sendable (_ reason: String) -> String
    /// How many clicks were redirected, in the form that ``lossSince`` and ``lastLoss`` need.
    let redirected: @Sendable (_ count: UInt64, _ written: String) -> String
    let lossSince: @Sendable (_ since: String, _ redirected: String) -> String
    let lastLoss: @Sendable (_ since: String, _ until: String, _ redirected: String, _ reason: String) -> String
    let neverLost: String
    let notAllReady: String
    let reason: @Sendable (UnrecordedReason) -> String
    /// The script's text in the banner when the page gets no answer. `{time}` stands for the time of the last answer.
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
    /// A folder that cannot be read.
    let unreadable: String
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
