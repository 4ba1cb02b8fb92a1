import Consent
import Identifiers
import Interactions
import Messages
import UseCases

/// An event of a timeline for its page.
struct TimelineRow {
    struct Fact {
        let name: String
        let text: String
        let path: String?

        init(_ name: String, _ text: String, path: String? = nil) {
            self.name = name
            self.text = text
            self.path = path
        }
    }

    /// A file to save.
    struct File {
        let name: String
        let path: String
    }

    /// The basis of a decision, in one sentence.
    struct Basis {
        let text: String
        /// The place of the consent record; `nil` if there is none.
        let path: String?
    }

    /// The id of the element, for links to it.
    let anchor: String
    let time: String
    let instant: String
    /// In CSV and JSON: `consent`, `request`, `decision` or `interaction`.
    let code: String
    let kind: String
    let tone: String
    let headline: String
    /// The reason, in one sentence.
    let sentence: String?
    /// The basis of a decision.
    let basis: Basis?
    let facts: [Fact]
    let files: [File]
    let id: String
}

/// Makes rows of events.
struct TimelineRows {
    let call: ConsoleCall
    /// The address of the case.
    let path: String
    /// The part that contains the rows; `nil` for a file, which has no links.
    let part: TimelinePart?
    let texts: PersonTexts
    let words: DecisionWords
    let states: StateWords
    let records: RecordWords

    init(_ call: ConsoleCall, path: String, part: TimelinePart?) {
        self.call = call
        self.path = path
        self.part = part
        texts = PersonTexts.all[call.language]
        words = DecisionWords.all[call.language]
        states = StateWords.all[call.language]
        records = RecordWords.all[call.language]
    }

    func row(_ event: TimelineEvent) -> TimelineRow {
        switch event.content {
        case .consent(let record): row(record)
        case .request(let request): row(request)
        case .decision(let entry, let basis): row(entry, basis)
        case .interaction(let item): row(item)
        }
    }

    private func row(_ record: ConsentRecord) -> TimelineRow {
        var facts = [TimelineRow.Fact(texts.purpose, record.purpose.description)]
        if record.recordedAt != record.occurredAt {
            facts.append(.init(texts.recordedAt, call.format.second(record.recordedAt)))
        }
        if let end = record.validUntil { facts.append(.init(texts.validUntil, call.format.second(end))) }
        facts += Self.facts(of: record.evidence, texts)
        return TimelineRow(
            anchor: TimelinePart.anchor(of: record.id), time: call.format.second(record.occurredAt),
            instant: record.occurredAt.rfc3339, code: "consent", kind: texts.consent,
            tone: (record.state.endsTracking ? ConsoleTable.Tone.warning : .good).rawValue,
            headline: states.name(of: record.state), sentence: nil, basis: nil, facts: facts,
            files: [proof(of: record.id)],
            id: record.id.description)
    }

    private static func facts(of evidence: ConsentEvidence?, _ texts: PersonTexts) -> [TimelineRow.Fact] {
        let notice = evidence?.notice.map { notice in
            [notice.id, notice.version, notice.language].compactMap { $0 }.joined(separator: ", ")
        }
        let all = [(texts.method, evidence?.method), (texts.source, evidence?.source), (texts.notice, notice)]
        return all.compactMap { name, text in
            guard let text, !text.isEmpty else { return nil }
            return TimelineRow.Fact(name, text.shortened())
        }
    }

    private func row(_ request: ConsentRequest) -> TimelineRow {
        var facts = request.purposes.map { TimelineRow.Fact(texts.purpose, $0.purpose.description) }
        if let notice = request.notice {
            facts.append(.init(texts.notice, "\(notice.id), \(notice.version)".shortened()))
        }
        return TimelineRow(
            anchor: "request-\(request.id)", time: call.format.second(request.madeAt), instant: request.madeAt.rfc3339,
            code: "request", kind: texts.request, tone: ConsoleTable.Tone.neutral.rawValue,
            headline: "\(texts.request): \(records.request(request.state(at: call.now)))", sentence: nil, basis: nil,
            facts: facts, files: [], id: request.id.description)
    }

    private func row(_ entry: DecisionEntry, _ basis: ConsentRecord?) -> TimelineRow {
        let activity =
            switch entry.activity {
            case .clicks: " " + texts.clicksOnly
            case .opens: " " + texts.opensOnly
            case nil: ""
            }
        var files = [
            TimelineRow.File(name: texts.proof, path: "\(path)/decisions/\(entry.id)/proof")
        ]
        if let consent = entry.consent { files.append(proof(of: consent)) }
        return TimelineRow(
            anchor: "decision-\(entry.id)", time: call.format.second(entry.decidedAt), instant: entry.decidedAt.rfc3339,
            code: "decision", kind: texts.decision + activity,
            tone: (entry.reason.outcome == .tracked ? ConsoleTable.Tone.good : .neutral).rawValue,
            headline: "\(words.outcome(entry.reason)): \(words.name(entry.reason))",
            sentence: words.sentence(entry.reason), basis: self.basis(of: entry, basis),
            facts: [
                message(entry.message), .init(texts.purpose, entry.purpose.description),
                .init(texts.rule, words.enforcement(entry.enforcement)),
            ], files: files, id: entry.id.description)
    }

    private func basis(of entry: DecisionEntry, _ record: ConsentRecord?) -> TimelineRow.Basis {
        if let record {
            return TimelineRow.Basis(
                text: texts.restsOn(states.name(of: record.state), call.format.second(record.occurredAt)),
                path: part?.link(to: record.id))
        }
        // A person may have more records than were read.
        if let id = entry.consent { return TimelineRow.Basis(text: texts.restsOnOther(id.description), path: nil) }
        return TimelineRow.Basis(text: texts.restsOnNothing, path: nil)
    }

    private func row(_ item: LinkedInteraction) -> TimelineRow {
        let interaction = item.interaction
        var facts = [message(interaction.message)]
        if let link = item.link { facts.append(.init(texts.link, (link.label ?? link.target.text).shortened())) }
        return TimelineRow(
            anchor: "interaction-\(interaction.id)", time: call.format.second(interaction.occurredAt),
            instant: interaction.occurredAt.rfc3339, code: "interaction", kind: texts.interaction,
            tone: ConsoleTable.Tone.neutral.rawValue,
            headline: "\(records.interaction(interaction.kind)), \(records.visitor(interaction.visitor.class))",
            sentence: nil, basis: nil, facts: facts, files: [], id: interaction.id.description)
    }

    private func message(_ id: MessageID) -> TimelineRow.Fact {
        TimelineRow.Fact(texts.message, id.description, path: call.path("campaigns/\(id)"))
    }

    private func proof(of record: ConsentRecordID) -> TimelineRow.File {
        TimelineRow.File(name: texts.consentProof, path: "\(path)/consents/\(record)/proof")
    }
}
