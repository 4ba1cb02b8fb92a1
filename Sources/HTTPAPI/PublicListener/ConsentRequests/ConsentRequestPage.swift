import Consent
import Identifiers
import Pages

/// The page that a recipient sees at the link of a consent request: the notice, and for each purpose two buttons of
/// equal weight. The one for yes is first on every page.
struct ConsentRequestPage {
    let request: ConsentRequest
    let step: ConsentRequestStep
    /// The organization's name.
    let sender: String
    let language: PageLanguage
    let now: Timestamp
    /// On the page that answers a press: the receipt of the new record.
    var receipts = ReceiptOffer([])

    private var texts: ConsentRequestTexts { language.texts.consentRequests }

    var page: WebPage {
        if request.recipient == nil {
            return WebPage(in: language, title: texts.expiredTitle, content: "<p>\(sentence(texts.nobody))</p>")
        }
        if request.hasExpired(at: now) { return expired }
        let title = step == .question ? texts.title : texts.confirmTitle
        let purposes = request.asked(on: step).map { asked in
            section(asked, remarks(on: asked).map { spoken($0, asked) } + buttons(asked))
        }
        let change: [HTML] = ["<p>\(texts.lookingIsNothing.html(sender: sender))</p>"]
        let proof = receipts.isEmpty ? [] : [receipts.html(in: language)]
        return WebPage(in: language, title: title, content: HTML(lines: introduction + purposes + proof + change))
    }

    /// This page accepts no answer, and says which of the given answers count.
    private var expired: WebPage {
        let first: HTML = "<p>\(sentence(texts.expired))</p>"
        let said = request.purposes.compactMap { asked in
            standing(of: asked).map { section(asked, [spoken($0, asked)]) }
        }
        return WebPage(in: language, title: texts.expiredTitle, content: HTML(lines: [first] + said))
    }

    /// The answer to a form with a value that the page has no button for.
    static func unreadable(in language: PageLanguage) -> WebPage {
        let texts = language.texts.consentRequests
        return WebPage(
            in: language, title: texts.unreadableTitle, content: "<p>\(texts.unreadable.html(sender: ""))</p>")
    }

    private var introduction: [HTML] {
        guard let notice = request.notice else { return [] }
        let first: HTML = "<p>\(sentence(texts.question))</p>"
        return [first, shown(notice)]
    }

    private func shown(_ notice: ConsentNotice) -> HTML {
        switch notice.body {
        case .text(let text):
            // Each line is a paragraph of its own, because its own letters decide its direction of writing.
            let lines: [HTML] = text.split(whereSeparator: \.isNewline).map { #"<p dir="auto">\#(String($0))</p>"# }
            return #"<blockquote lang="\#(notice.language)">\#(HTML(lines: lines))</blockquote>"#
        case .url(let url):
            return """
                <p><a href="\(url)" hreflang="\(notice.language)" rel="noreferrer noopener">\(texts.readNotice)</a></p>
                """
        }
    }

    private func section(_ asked: AskedPurpose, _ content: [HTML]) -> HTML {
        let heading: HTML = """
            <h2 id="\(asked.headingID)">\(sentence(question(about: asked.purpose), asked.purpose))</h2>
            """
        return "<section id=\"\(asked.sectionID)\">\n\(HTML(lines: [heading] + content))\n</section>"
    }

    /// If the request also asks about opens, the question about `tracking` is about links alone, so that each answer
    /// has a sentence of its own.
    private func question(about purpose: Purpose) -> Sentence {
        switch purpose {
        case .openTracking: return texts.opens
        case .tracking:
            return request.purposes.contains { $0.purpose == .openTracking } ? texts.clicks : texts.tracking
        default: return texts.purpose
        }
    }

    private func spoken(_ said: Sentence, _ asked: AskedPurpose) -> HTML {
        "<p><strong>\(sentence(said, asked.purpose))</strong></p>"
    }

    private func remarks(on asked: AskedPurpose) -> [Sentence] {
        if asked.awaitsConfirmation { return [step == .question ? texts.awaiting : texts.confirmQuestion] }
        let changeable = asked.closing == nil && asked.recorded != nil ? [texts.change] : []
        return [standing(of: asked)].compactMap(\.self) + changeable
    }

    /// The answer that counts now.
    private func standing(of asked: AskedPurpose) -> Sentence? {
        switch (asked.closing, asked.recorded) {
        case (.laterAnswer, _): texts.later
        case (_, .given): texts.saidYes
        case (_, .refused): texts.saidNo
        case (.newerRequest, nil): texts.newer
        case (nil, nil): nil
        }
    }

    /// The forms post to the page's own address. The page that answers is shown from the purpose's section on: above it
    /// stands a notice of any length, and a reader must see that the press counted.
    ///
    /// The buttons of all purposes have the same words, so a screen reader says the question with them.
    private func buttons(_ asked: AskedPurpose) -> [HTML] {
        guard asked.closing == nil || asked.acceptsOnlyRefusal else { return [] }
        let words = step == .question ? texts.yes : texts.confirmYes
        let yes: HTML = #"<button name="answer" value="\#(ConsentAnswer.given.rawValue)">\#(words)</button>"#
        let no: HTML = #"<button name="answer" value="\#(ConsentAnswer.refused.rawValue)">\#(texts.no)</button>"#
        let form = HTML.form(
            in: language, leadingTo: asked.sectionID,
            """
            <input type="hidden" name="purpose" value="\(asked.purpose.description)">
            <div class="choice" role="group" aria-labelledby="\(asked.headingID)">
            \(HTML(lines: asked.acceptsOnlyRefusal ? [no] : [yes, no]))
            </div>
            """)
        return [form]
    }

    /// The last whole day (UTC) on which the links can be answered; today, if that day has passed.
    private var lastWholeDay: String {
        String(max(request.expiresAt.advanced(byDays: -1), now).rfc3339.prefix(10))
    }

    private func sentence(_ sentence: Sentence, _ purpose: Purpose? = nil) -> HTML {
        sentence.html { blank in
            switch blank {
            case .sender: sender
            case .purpose: purpose?.description ?? ""
            case .date: lastWholeDay
            case .site: ""
            }
        }
    }
}

extension AskedPurpose {
    // A purpose consists of `a-z 0-9 . -`, which need no escaping in an `id` and in a fragment.

    fileprivate var sectionID: String { "about-\(purpose)" }
    fileprivate var headingID: String { "question-\(purpose)" }
}
