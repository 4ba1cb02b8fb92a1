import Consent
import Identifiers
import Pages
import TestSupport
import Testing

@testable import HTTPAPI

/// What the page of a consent request says of each purpose: nothing that does not hold.
@Suite struct ConsentRequestWordsTests {
    private func page(
        _ purposes: [AskedPurpose], at now: Timestamp = .noon + -86_400_000,
        expiresAt: Timestamp = .noon + 30 * 86_400_000, in language: PageLanguage = .english
    ) throws -> String {
        let request = ConsentRequest(
            id: try #require(ConsentRequestID(rawValue: 1 << 40)), organization: try OrganizationID("acme"),
            recipient: try RecipientID("ana@example.com"),
            notice: ConsentNotice(id: "n", version: "1", sha256: "", language: "en", body: .text("May we?")),
            needsConfirmation: false, madeAt: .noon, expiresAt: expiresAt, purposes: purposes)
        return ConsentRequestPage(
            request: request, step: .question, sender: "Acme", language: language, now: now
        ).page.html
    }

    @Test("asked apart, links and opening are two questions that have nothing in common")
    func apart() throws {
        let opens = try Purpose("open-tracking")
        let page = try page([AskedPurpose(purpose: .tracking), AskedPurpose(purpose: opens)])
        #expect(page.contains("when you follow links in its messages?"))
        #expect(page.contains("when you open its messages?"))
        #expect(!page.contains("and the links in them"))
    }

    @Test("opening alone is asked about in words", arguments: PageLanguage.allCases)
    func opening(_ language: PageLanguage) throws {
        let page = try page([AskedPurpose(purpose: try Purpose("open-tracking"))], in: language)
        #expect(!page.replacing(/<[^>]*>/, with: "").contains("open-tracking"), "in the markup alone")
    }

    @Test("beside a purpose that is not about opening, the question about tracking is the whole of it")
    func beside() throws {
        let page = try page([AskedPurpose(purpose: .tracking), AskedPurpose(purpose: try Purpose("offers"))])
        #expect(page.contains("when you open its messages and the links in them?"))
        #expect(page.contains("Do you agree to “<bdi><em>offers</em></bdi>”?"))
    }

    @Test("after a newer request the page's own yes has a button for no, and says that it counts")
    func newer() throws {
        let yes = AskedPurpose(
            purpose: .tracking, lastAnswer: .given, recorded: .given, recordCount: 1, closing: .newerRequest)
        let given = try page([yes])
        #expect(given.contains("You said yes. This counts now."))
        #expect(given.contains(#"value="refused""#) && !given.contains(#"value="given""#))
        #expect(!given.contains("Nothing is recorded here"))
        let no = AskedPurpose(
            purpose: .tracking, lastAnswer: .refused, recorded: .refused, recordCount: 2, closing: .newerRequest)
        #expect(try page([no]).contains("You said no. This counts now."))
        #expect(!(try page([no]).contains("<button")))
        #expect(try page([AskedPurpose(purpose: .tracking, closing: .newerRequest)]).contains("asked you again"))
    }

    @Test(
        "an expired page says of each answer what counts now, and of none that it counts if it does not",
        arguments: [
            (ConsentAnswer?.none, AskedPurpose.Closing?.none, String?.none),
            (.given, nil, "You said yes. This counts now."),
            (.refused, nil, "You said no. This counts now."),
            (.given, .laterAnswer, "A later answer of yours counts."),
            (.refused, .laterAnswer, "A later answer of yours counts."),
            (.given, .newerRequest, "You said yes. This counts now."),
        ])
    func expired(_ recorded: ConsentAnswer?, _ closing: AskedPurpose.Closing?, _ said: String?) throws {
        // A yes that was never confirmed was pressed and not recorded.
        let asked = AskedPurpose(
            purpose: .tracking, lastAnswer: recorded ?? .given, recorded: recorded, closing: closing)
        let page = try page([asked], at: .noon + 30 * 86_400_000)
        #expect(page.contains("too old") && !page.contains("<button") && !page.contains("still counts"))
        #expect(!page.contains("until"))
        let sentences = ["You said yes.", "You said no.", "A later answer"]
        #expect(sentences.count(where: page.contains) == (said == nil ? 0 : 1))
        if let said { #expect(page.contains(said)) }
    }

    @Test(
        "the day until which an answer can be changed is one that the link has whole",
        arguments: PageLanguage.allCases)
    func lastDay(_ language: PageLanguage) throws {
        let yes = AskedPurpose(purpose: .tracking, lastAnswer: .given, recorded: .given, recordCount: 1)
        let noon = Timestamp.noon
        let page = try page([yes], expiresAt: noon, in: language)
        #expect(!page.contains(noon.rfc3339.prefix(10)))
        #expect(page.contains((noon + -86_400_000).rfc3339.prefix(10)))
        let last = try self.page([yes], at: noon, expiresAt: noon + 3_600_000, in: language)
        #expect(last.contains(noon.rfc3339.prefix(10)), "no past day is named")
        #expect(!last.contains((noon + -86_400_000).rfc3339.prefix(10)))
    }
}
