import Consent
import Identifiers
import Interactions
import Reports
import TestSupport

/// Consent records made at random, and their report by going through all of them.
struct RandomHistories {
    private static let day: Int64 = 86_400_000

    /// One life of a recipient, which ends with an erasure.
    private struct Life {
        var records: [ConsentRecord] = []
        var erasedAt: Timestamp?
    }

    private let purpose: Purpose
    private let people: [RecipientID]
    private var random: SeededGenerator
    private var lives: [RecipientID: [Life]] = [:]

    init(people count: Int, purpose: Purpose, seed: UInt64) throws {
        self.purpose = purpose
        people = try (0..<count).map { try RecipientID("\(purpose)-\($0)@people.example") }
        random = SeededGenerator(seed: seed)
    }

    /// Records a batch, in which a recipient may be several times: with times of the past, some of them equal.
    mutating func record(in storage: StorageUnderTest) async throws {
        var batch: [NewConsentRecord] = []
        for _ in 0..<Int.random(in: 1...30, using: &random) { batch.append(try one()) }
        let records = try await storage.consents.append(batch, in: storage.acme, at: .noon, fingerprint: nil)
        for (new, record) in zip(batch, records) {
            if lives[new.recipient]?.last?.erasedAt != nil || lives[new.recipient] == nil {
                lives[new.recipient, default: []].append(Life())
            }
            let last = (lives[new.recipient]?.count ?? 1) - 1
            lives[new.recipient]?[last].records.append(record)
        }
    }

    private mutating func one() throws -> NewConsentRecord {
        let hours = Int64.random(in: 0...(24 * 60), using: &random)
        // Noon to noon, and midnights.
        let occurredAt = Timestamp.noon + -(hours / 6 * 6) * 3_600_000
        let state = Bool.random(using: &random) ? .given : ConsentState.allCases.randomElement(using: &random) ?? .given
        let validUntil: Timestamp? =
            state == .given && Int.random(in: 0..<3, using: &random) > 0
            ? occurredAt + Int64.random(in: 1...(24 * 20), using: &random) * 6 * 3_600_000 : nil
        let evidence: ConsentEvidence? =
            switch Int.random(in: 0..<5, using: &random) {
            case 0: nil
            case 1: ConsentEvidence(method: "form")
            case 2: ConsentEvidence(method: "call", notice: .init(id: "privacy", version: "1"))
            case 3: ConsentEvidence(notice: .init(sha256: "ab"))
            default: ConsentEvidence(source: "shop")
            }
        return try NewConsentRecord(
            recipient: people.randomElement(using: &random) ?? people[0], purpose: purpose, state: state,
            occurredAt: occurredAt, validUntil: validUntil, evidence: evidence, now: .noon)
    }

    mutating func erase(in storage: StorageUnderTest) async throws {
        let recipient = people.randomElement(using: &random) ?? people[0]
        _ = try await storage.consents.erase(recipient, in: storage.acme)
        if let last = lives[recipient]?.indices.last, lives[recipient]?[last].erasedAt == nil {
            lives[recipient]?[last].erasedAt = .noon
        }
    }

    func counts(_ selection: ConsentReportSelection) -> ConsentCounts {
        var counts = ConsentCounts()
        let lives = lives.values.joined()
        for number in selection.days {
            var day = ConsentCounts.Day(CalendarDay(number: number))
            let end = Timestamp(millisecondsSince1970: (number + 1) * Self.day - 1)
            for life in lives {
                for record in life.records where CalendarDay(record.occurredAt) == day.day {
                    day.records[record.state, default: 0] += 1
                    if record.state == .given { counts.evidence[CountedEvidence(record.evidence), default: 0] += 1 }
                }
                day.expired += Self.expired(of: life).count { CalendarDay($0) == day.day }
                if let erasedAt = life.erasedAt, CalendarDay(erasedAt) == day.day { day.erased += 1 }
                if let status = Self.status(of: life, at: end) { day.stock[status, default: 0] += 1 }
            }
            counts.days.append(day)
        }
        for ahead in ConsentReportSelection.aheads {
            let days = (selection.today.number + 1)...(selection.today.number + ahead)
            counts.ending[ahead] = lives.reduce(0) { sum, life in
                sum + Self.expired(of: life).count { days.contains(CalendarDay($0).number) }
            }
        }
        return counts
    }

    private static func status(of life: Life, at instant: Timestamp) -> CountedStatus? {
        guard life.erasedAt.map({ instant < $0 }) ?? true,
            let found = ConsentInForce.inForce(among: life.records.map(\.inForce), at: instant)
        else { return nil }
        return found.isExpired(at: instant) ? .expired : CountedStatus(found.state)
    }

    /// When a consent in force ended by itself.
    private static func expired(of life: Life) -> [Timestamp] {
        let records = life.records.map(\.inForce)
        return records.compactMap { record in
            guard record.state == .given, let end = record.validUntil, life.erasedAt.map({ end < $0 }) ?? true,
                ConsentInForce.inForce(among: records, at: end) == record
            else { return nil }
            return end
        }
    }
}
