import Consent
import Identifiers
import Interactions
import Reports
import SQL

/// The changes of the kept consent counts by one write or one step, until they are stored.
struct ConsentCountBatch {
    /// An organization and a purpose that have counts of their own.
    struct Subject: Hashable {
        let organization: Int64
        let purpose: Int64
    }

    private struct WordKey: Hashable {
        let subject: Subject
        let word: EvidenceWord
        let day: Int64
    }

    private(set) var tallies: [Subject: ConsentTallies] = [:]
    private var words: [WordKey: Int64] = [:]
    private var recipients: [ConsentCountTable.WordOwner: Set<Int64>] = [:]

    mutating func addRecord(
        _ state: ConsentState, at occurredAt: Timestamp, _ evidence: ConsentEvidence?, about recipient: Int64,
        of subject: Subject
    ) {
        tallies[subject, default: ConsentTallies()].addRecord(state, at: occurredAt, evidence)
        guard state == .given, let evidence else { return }
        for word in EvidenceWord.all(of: evidence) {
            words[WordKey(subject: subject, word: word, day: CalendarDay(occurredAt).number), default: 0] += 1
            recipients[.init(organization: subject.organization, word: word), default: []].insert(recipient)
        }
    }

    mutating func change(_ subject: Subject, _ body: (inout ConsentTallies) -> Void) {
        body(&tallies[subject, default: ConsentTallies()])
    }

    /// Adds all changes to the stored counts, inside a write.
    func store(_ db: any SQLConnection) throws {
        let add = try ConsentCountTable.insert(db)
        for (subject, tallies) in tallies {
            var sums: [[Int64]: Int64] = [:]
            for (place, count) in tallies.counts {
                let (series, key) = place.counter.code
                try add.add(subject.organization, subject.purpose, series, place.day.number, key, Int64(count))
                guard case .stock = place.counter else { continue }
                sums[[ConsentCountTable.block(of: place.day.number), key], default: 0] += Int64(count)
            }
            for (place, sum) in sums where sum != 0 {
                try add.add(
                    subject.organization, subject.purpose, ConsentCountTable.blocks, place[0], place[1], sum)
            }
        }
        try add.finish()
        guard !words.isEmpty else { return }
        let numbers = try EvidenceWordTable.use(recipients, db)
        // Several words may have no number of their own; their counts are added up.
        var counts: [[Int64]: Int64] = [:]
        for (place, count) in words {
            let owner = ConsentCountTable.WordOwner(organization: place.subject.organization, word: place.word)
            let key = numbers[owner] ?? EvidenceWordTable.others
            counts[
                [place.subject.organization, place.subject.purpose, place.word.kind.series, place.day, key],
                default: 0] += count
        }
        for (key, count) in counts { try add.add(key[0], key[1], key[2], key[3], key[4], count) }
        try add.finish()
    }
}
