import Consent
import Identifiers
import Pages

/// The page that shows a recipient whether they are tracked. It says nothing else about them.
struct WithdrawalPage {
    /// What a purpose covers.
    enum Part: Hashable {
        /// Messages and their links.
        case everything
        case clicks
        case opens
    }

    /// What is recorded of a part, and what can be done about it.
    enum State: Hashable, CaseIterable {
        /// It is recorded.
        case on
        /// It is not recorded, though the recipient has not said no: a new rule or a new message could change it.
        case silent
        /// It is not recorded until the recipient says otherwise.
        case ended

        /// - Returns: `nil` for a recipient who was erased.
        init?(_ status: ConsentStatus, _ policy: ConsentPolicy, at instant: Timestamp) {
            switch status {
            case .erased: return nil
            case .inForce(let consent) where consent.state.endsTracking: self = .ended
            case .inForce, .nothing: self = policy.decide(status, at: instant).outcome == .tracked ? .on : .silent
            }
        }
    }

    struct Entry: Hashable {
        let part: Part
        let purpose: Purpose
        let state: State
    }

    /// The organization's name.
    let sender: String
    /// One entry, or one for clicks and one for opens; none if the recipient was erased.
    let entries: [Entry]
    /// Whether the organization may record for purposes of which the page does not speak, in other messages. Then the
    /// page names its own purposes, because what it says holds for them alone.
    let mayHaveOtherPurposes: Bool
    /// The receipts of what the request recorded that this page answers.
    var receipts = ReceiptOffer([])

    func page(in language: PageLanguage) -> WebPage {
        let texts = language.texts.withdrawal
        let title = title(texts)
        guard entries.count == 1, let entry = entries.first else {
            return page(in: language, title, entries.isEmpty ? unknownPerson(texts) : parts(language))
        }
        return page(in: language, title, everything(entry, language))
    }

    private func page(in language: PageLanguage, _ title: String, _ content: HTML) -> WebPage {
        let whole = receipts.isEmpty ? content : HTML(lines: [content, receipts.html(in: language)])
        return WebPage(in: language, title: title, content: whole)
    }

    private func title(_ texts: WithdrawalTexts) -> String {
        let onCount = entries.count { $0.state == .on }
        return onCount == 0 ? texts.isOff : onCount == entries.count ? texts.isOn : texts.isPartlyOn
    }

    private func unknownPerson(_ texts: WithdrawalTexts) -> HTML {
        HTML(lines: [paragraph(texts.unknownPerson), paragraph(texts.laterMessages)])
    }

    /// For one purpose that covers messages and links.
    private func everything(_ entry: Entry, _ language: PageLanguage) -> HTML {
        let texts = language.texts.withdrawal
        let activity = texts.everything
        var lines = [paragraph(entry.state == .on ? activity.recorded : activity.notRecorded)]
        if mayHaveOtherPurposes || entry.purpose != .tracking { lines.append(purpose(of: entry, texts)) }
        switch entry.state {
        case .on: lines += [paragraph(texts.choice), form(language, activity.turnOff)]
        case .silent: lines += [paragraph(texts.undecided), form(language, activity.keepOff)]
        case .ended: lines += [paragraph(texts.linksWork), paragraph(texts.staysOff)]
        }
        return HTML(lines: lines)
    }

    /// For opens and clicks separately: each has a text and a button, and one button is for both.
    private func parts(_ language: PageLanguage) -> HTML {
        let texts = language.texts.withdrawal
        let isAnyOn = entries.contains { $0.state == .on }
        var lines = [paragraph(isAnyOn ? texts.choiceOfParts : texts.linksWork)]
        lines += entries.map { section($0, language) }
        if entries.allSatisfy({ $0.state != .ended }) {
            lines.append(form(language, isAnyOn ? texts.turnAllOff : texts.keepAllOff))
        }
        return HTML(lines: lines)
    }

    private func section(_ entry: Entry, _ language: PageLanguage) -> HTML {
        let texts = language.texts.withdrawal
        let activity = entry.part.activity(texts)
        var lines: [HTML] = [
            "<h2>\(entry.part == .opens ? texts.opensHeading : texts.clicksHeading)</h2>",
            paragraph(entry.state == .on ? activity.recorded : activity.notRecorded),
        ]
        if mayHaveOtherPurposes || entry.purpose != entry.part.standardPurpose {
            lines.append(purpose(of: entry, texts))
        }
        switch entry.state {
        case .on: lines.append(form(language, activity.turnOff, entry.part))
        case .silent: lines += [paragraph(texts.undecided), form(language, activity.keepOff, entry.part)]
        case .ended: lines.append(paragraph(texts.staysOff))
        }
        return HTML(lines: lines)
    }

    /// Says that the page is only about messages for this purpose.
    private func purpose(of entry: Entry, _ texts: WithdrawalTexts) -> HTML {
        "<p>\(texts.aboutPurpose.html { $0 == .purpose ? entry.purpose.description : sender })</p>"
    }

    private func paragraph(_ sentence: Sentence) -> HTML { "<p>\(sentence.html(sender: sender))</p>" }

    /// - Parameter part: the part that the button is for; by default all.
    private func form(_ language: PageLanguage, _ label: String, _ part: Part = .everything) -> HTML {
        let field: HTML = part.field.map { #" name="\#($0)" value="off""# } ?? ""
        return .form(in: language, "<button\(field)>\(label)</button>")
    }
}

extension WithdrawalPage.Part {
    /// The name of its field in a form; `nil` for all of them.
    var field: String? {
        switch self {
        case .everything: nil
        case .clicks: "clicks"
        case .opens: "opens"
        }
    }

    /// The purpose that is meant where none is named.
    fileprivate var standardPurpose: Purpose { self == .opens ? .openTracking : .tracking }

    fileprivate func activity(_ texts: WithdrawalTexts) -> WithdrawalTexts.Activity {
        switch self {
        case .everything: texts.everything
        case .clicks: texts.clicks
        case .opens: texts.opens
        }
    }
}
