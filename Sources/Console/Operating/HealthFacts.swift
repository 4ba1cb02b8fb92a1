import Identifiers
import Pages
import UseCases

/// The present state, as figures and as a table for programs.
struct HealthFacts {
    let state: ServiceState
    let texts: HealthTexts
    let format: NumberFormat

    private struct Fact {
        /// The name in CSV and JSON.
        let name: String
        let title: String
        let value: String
        let note: String
        /// The value for programs: without separators and units.
        let plain: String

        init(_ name: String, _ title: String, _ value: String, note: String = "", plain: String) {
            self.name = name
            self.title = title
            self.value = value
            self.note = note
            self.plain = plain
        }
    }

    private var facts: [Fact] {
        counts + times + state.disks.map(disk) + [ledgers, backup] + [sharing].compactMap(\.self)
    }

    private var counts: [Fact] {
        [
            count("recorded", texts.recorded, state.sample.recorded, note: texts.sinceStart),
            count("unrecorded", texts.unrecorded, state.sample.unrecordedCount, note: texts.sinceStart),
            count("spoolDepth", texts.spoolDepth, UInt64(state.sample.spoolDepth), note: texts.spoolNote),
            count("unjudged", texts.unjudged, state.unjudged, note: texts.unjudgedNote),
        ]
    }

    private func count(_ name: String, _ title: String, _ number: UInt64, note: String) -> Fact {
        Fact(name, title, format.integer(Int(clamping: number)), note: note, plain: String(number))
    }

    private var times: [Fact] {
        let commits = state.history.recentCommits
        return [
            ("commitMedianMicroseconds", texts.commitMedian, 0.5), ("commitP99Microseconds", texts.commitMost, 0.99),
        ]
        .map { name, title, share in
            guard let quantile = commits?.quantile(share) else {
                return Fact(name, title, "–", note: texts.noCommit, plain: "")
            }
            let time = HealthDay.duration(quantile.microseconds, format)
            return Fact(
                name, title, quantile.isBounded ? "≤ \(time)" : "> \(time)", note: texts.commitNote,
                plain: String(quantile.microseconds))
        }
    }

    private func disk(_ disk: ServiceState.Disk) -> Fact {
        Fact(
            "diskFreeBytes.\(disk.folder.rawValue)", disk.folder == .data ? texts.dataDisk : texts.backupDisk,
            format.bytes(Int64(clamping: disk.free)), note: texts.freeOf(format.bytes(Int64(clamping: disk.total))),
            plain: String(disk.free))
    }

    private var ledgers: Fact {
        let closed = state.closedLedgers.map(\.description).joined(separator: ", ")
        return Fact(
            "closedLedgers", texts.ledgers, closed.isEmpty ? texts.ledgersOpen : texts.ledgersClosed, note: closed,
            plain: closed)
    }

    private var backup: Fact {
        let (value, plain): (String, String) =
            switch state.lastBackup {
            case .begun(let instant): (format.minute(instant), instant.rfc3339)
            case .absent: (texts.none, "")
            case .unreadable: (texts.unreadable, "unreadable")
            }
        return Fact("lastBackup", texts.lastBackup, value, plain: plain)
    }

    private var sharing: Fact? {
        guard let sharing = state.sharing else { return nil }
        let seconds = sharing.staleness.map { $0 / .seconds(1) }
        return Fact(
            "stalenessSeconds", texts.staleness, sharing.isFresh ? texts.fresh : texts.stale,
            note: seconds.map { texts.age(format.decimal($0)) } ?? "", plain: seconds.map { format.plain($0) } ?? "")
    }

    var html: HTML {
        Facts(facts: facts.map { Facts.Fact($0.title, $0.value, note: $0.note) }).html
    }

    var readinessHTML: HTML {
        let doors = [(texts.links, state.links), (texts.api, state.api)]
        let parts = HTML(
            lines: doors.map { name, reasons in
                let tone = reasons.isEmpty ? "good" : "bad"
                let word = reasons.isEmpty ? texts.ready : texts.notReady
                let list = HTML(lines: reasons.map { Self.html(of: ReadinessText($0, in: format.language)) })
                let why: HTML = reasons.isEmpty ? "" : "<ul>\(list)</ul>"
                return "<dt>\(name)</dt><dd><span class=\"state \(tone)\">\(word)</span>\(why)</dd>"
            })
        return "<dl class=\"pairs\">\(parts)</dl>"
    }

    private static func html(of reason: ReadinessText) -> HTML {
        let detail: HTML = reason.english.isEmpty ? "" : "<span lang=\"en\">\(reason.english)</span>"
        return "<li>\(reason.text)\(detail)</li>"
    }

    private static func text(of reasons: [ReadinessReason]) -> String {
        reasons.map(\.description).joined(separator: "; ")
    }

    func table(_ banner: HealthBanner) -> ConsoleTable {
        let words: [[ConsoleTable.Cell]] = [
            [.code("state"), .code(banner.tone.rawValue)], [.code("headline"), .text(banner.headline)],
            [.code("detail"), .text(banner.detail)],
            [.code("notReadyForLinks"), .text(Self.text(of: state.links))],
            [.code("notReadyForAPI"), .text(Self.text(of: state.api))],
        ]
        return ConsoleTable(
            name: "now", caption: texts.nowCaption, columns: [.init("name", texts.name), .init("value", texts.value)],
            rows: words + facts.map { [.code($0.name), .text($0.plain)] })
    }
}

extension CommitTimes.Quantile {
    fileprivate var isBounded: Bool {
        if case .atMost = self { true } else { false }
    }
}

extension NumberFormat {
    /// The value for programs, rounded to thousandths.
    fileprivate func plain(_ seconds: Double) -> String { String((seconds * 1000).rounded() / 1000) }
}
