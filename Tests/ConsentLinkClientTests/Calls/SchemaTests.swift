import Foundation
import Testing

@testable import ConsentLinkClient

/// The client's types have the members of the schemas in `docs/openapi.yaml`.
@Suite struct SchemaTests {
    /// A type of the client, and the schema that it stands for.
    struct Pair: Sendable, CustomTestStringConvertible {
        let schema: String
        /// The names of the type's stored properties.
        let members: @Sendable () throws -> Set<String>
        /// Members that the type has under another name, or leaves to somebody else.
        var elsewhere: Set<String> = []

        var testDescription: String { schema }

        static func answer<Value: Decodable & Sendable>(
            _ type: Value.Type, _ schema: String, elsewhere: Set<String> = []
        ) -> Pair {
            Pair(
                schema: schema,
                members: {
                    let value = try WireCoding.decode(Value.self, from: try SchemaSample.json(of: schema))
                    return names(of: value)
                }, elsewhere: elsewhere)
        }

        static func request(_ value: some Sendable, _ schema: String, elsewhere: Set<String> = []) -> Pair {
            Pair(schema: schema, members: { names(of: value) }, elsewhere: elsewhere)
        }

        private static func names(of value: Any) -> Set<String> {
            Set(Mirror(reflecting: value).children.compactMap(\.label))
        }
    }

    private static let rate: Set = ["value", "low", "high"]
    private static let retention: Set = ["interactionsDays", "decisionsDays"]

    private static let answers: [Pair] = [
        .answer(Organization.self, "Organization"), .answer(APIKey.self, "Key"),
        .answer(Quotas.self, "Quotas"), .answer(Retention.self, "Retention", elsewhere: retention),
        .answer(RecordedConsent.self, "RecordedConsent"), .answer(ConsentRecord.self, "ConsentRecord"),
        .answer(CurrentConsent.self, "CurrentConsent"), .answer(ConsentOfRecipient.self, "ConsentOfRecipient"),
        .answer(Erasure.self, "Erasure"), .answer(ConsentChange.self, "ConsentChange"),
        .answer(ConsentChangePage.self, "ConsentChangeList"), .answer(Endpoint.self, "Endpoint"),
        .answer(EndpointTest.self, "EndpointTest"), .answer(DeliveryAttempt.self, "DeliveryAttempt"),
        .answer(MessageSummary.self, "MessageSummary"),
        .answer(MessagePage.self, "MessageList"), .answer(StoredMessage.self, "MessageInFull"),
        .answer(StoredMessage.Link.self, "MessageLink"), .answer(SkippedLink.self, "SkippedLink"),
        .answer(DecisionSummary.self, "DecisionSummary"), .answer(RewrittenMail.self, "RewrittenMail"),
        .answer(RewrittenMail.Link.self, "MailLink"), .answer(RewrittenMailLine.self, "RewrittenMailLine"),
        .answer(Decision.self, "Decision"), .answer(DecisionPage.self, "DecisionList"),
        .answer(Access.self, "Access"), .answer(AccessPage.self, "AccessList"),
        .answer(DecisionInFull.self, "DecisionInFull", elsewhere: SchemaSample.members(of: "Decision")),
        .answer(Interaction.self, "Interaction"), .answer(InteractionPage.self, "InteractionList"),
        .answer(LedgerHead.self, "Ledger"), .answer(SigningKey.self, "SigningKeyInRing"),
        .answer(InspectedTrackingID.self, "InspectionResult"), .answer(Backup.self, "Backup"),
        .answer(Backup.File.self, "BackupFile"), .answer(InspectedOpens.self, "InspectedOpens"),
        .answer(MailPayload.self, "MailPayload"), .answer(ApartDecisions.self, "ApartMailDecisions"),
        .answer(ApartDecisions.Part.self, "ApartMailDecision"), .answer(ConsentRequest.self, "ConsentRequest"),
        .answer(AskedPurpose.self, "AskedPurpose"), .answer(ShownNotice.self, "ShownNotice"),
        .answer(ConsentRequestPage.self, "ConsentRequestList"),
        .answer(ConsentRequestsOfRecipient.self, "ConsentRequestsOfRecipient"),
    ]

    private static let reports: [Pair] = [
        .answer(MessageReport.self, "Report"), .answer(CampaignReport.self, "CampaignReport"),
        .answer(ReportedPeople.self, "ReportPeople"), .answer(ReportedOpensTracked.self, "ReportOpensTracked"),
        .answer(ReportedRates.self, "ReportRates"),
        .answer(Rate.self, "Rate", elsewhere: rate), .answer(ReportedBounds.self, "ReportBounds"),
        .answer(ShareBounds.self, "Bounds", elsewhere: rate),
        .answer(OpensByVisitor<OpenCounts>.self, "ReportOpens"), .answer(OpenCounts.self, "OpenCounts"),
        .answer(OpensByVisitor<OpenTotal>.self, "CampaignOpens"), .answer(OpenTotal.self, "OpenTotal"),
        .answer(InteractionCounts.self, "InteractionCounts"), .answer(InteractionTotals.self, "InteractionTotals"),
        .answer(ReportedLink.self, "ReportLink"), .answer(ReportedDay.self, "ReportDay"),
        .answer(ReportedHour.self, "ReportHour"), .answer(CampaignDay.self, "CampaignDay"),
        .answer(ConsentReport.self, "ConsentReport"), .answer(ConsentDay.self, "ConsentReportDay"),
        .answer(ConsentStock.self, "ConsentStock"), .answer(EndingConsents.self, "EndingConsents"),
        .answer(EvidenceCounts.self, "EvidenceCounts"), .answer(MethodCount.self, "MethodCount"),
        .answer(NoticeCount.self, "NoticeCount"), .answer(DecisionTotals.self, "DecisionTotals"),
        .answer(DecisionDay.self, "DecisionDay"), .answer(DecisionSample.self, "DecisionSample"),
        .answer(SampledDecision.self, "SampledDecision"),
    ]

    private static let notice = NewNotice(id: "a", version: "1", language: "en", content: .text("a"))
    private static let requests: [Pair] = [
        .request(NewOrganization(id: "a", enforcement: .restrictive), "NewOrganization"),
        .request(OrganizationChange(), "OrganizationChange"),
        .request(NewEndpoint(url: "a", kinds: []), "NewEndpoint"), .request(EndpointChange(), "EndpointChange"),
        .request(NewConsent(recipient: "a", state: .given), "NewConsent"), .request(Evidence(), "Evidence"),
        .request(Evidence.Notice(), "Notice"), .request(Message(name: "a"), "Message"),
        .request(Message.Action(id: "a", title: "a"), "Action"),
        .request(
            PayloadOrder(.stored("a"), format: .plain), "PayloadRequest",
            elsewhere: ["message", "messageId", "recipients", "preview"]),
        .request(RewriteRequest(messageId: "a", recipient: "a"), "RewriteRequest"),
        .request(DecisionQuery(), "DecisionQuery", elsewhere: ["after", "limit"]),
        .request(AccessQuery(), "AccessQuery", elsewhere: ["after", "limit"]),
        .request(InteractionQuery(), "InteractionQuery", elsewhere: ["limit"]),
        .request(NewConsentRequest(recipient: "a", notice: notice), "NewConsentRequest"),
        .request(notice, "NewNotice", elsewhere: ["text", "url", "sha256"]),
        .request(Message.Purposes(), "MessagePurposes"),
        .request(AuditRequest(), "AuditRequest"), .request(NewKey(scopes: [], name: nil), "NewKey"),
    ]

    @Test("a type has every member that the schema has", arguments: answers + reports + requests)
    func members(_ pair: Pair) throws {
        let documented = SchemaSample.members(of: pair.schema)
        #expect(!documented.isEmpty)
        let missing = documented.subtracting(pair.elsewhere).subtracting(try pair.members())
        #expect(missing == [])
    }

    /// A word of the document, and the constants that the client has for its words.
    private static let words: [(schema: String, constants: Set<String>)] = [
        ("Scope", names([Scope.compose, .consent, .read, .manage, .report, .deliver])),
        ("Enforcement", names([Enforcement.restrictive, .nonRestrictive])),
        ("Identifiers", names([RecipientComparison.email, .exact])),
        ("CurrentConsentState", names([ConsentState.given, .refused, .withdrawn, .revoked, .invalidated, .expired])),
        ("Outcome", names([Outcome.tracked, .untracked])),
        (
            "Reason",
            names([
                Reason.consentGiven, .notOptedOut, .noConsentRecord, .consentExpired, .consentRefused,
                .consentWithdrawn, .consentRevoked, .consentInvalidated, .recipientErased, .trackingOffForMessage,
            ])
        ),
        (
            "EventKind",
            names([
                EventKind.consentRecorded, .recipientErased, .messageDisabled, .interactionsAvailable,
                .endpointFailing, .endpointTest,
            ])
        ),
        ("EndpointState", names([EndpointState.enabled, .disabled, .failing, .gone])),
        ("IncludedMember", names([IncludedMember.recipient])),
        (
            "InteractionType",
            names([
                InteractionType.linkClicked, .notificationClicked, .notificationOpened, .notificationReceived,
                .messageOpened,
            ])
        ),
        (
            "ConsentRequestState",
            names([
                ConsentRequestState.erased, .awaitingConfirmation, .open, .answered, .superseded, .expired,
            ])
        ),
        ("RecordedAnswer", names([ConsentState.given, .refused])),
        ("RequestClosing", names([RequestClosing.newerRequest, .laterAnswer])),
        ("TrackedActivity", names([TrackedActivity.clicks, .opens])),
        ("Visitor", names([Visitor.person, .machine, .cannotTell])),
        (
            "VisitorReason",
            names([
                VisitorReason.browserAgent, .deviceReport, .crawlerAgent, .previewerAgent, .scannerAgent,
                .noUserAgent, .appleMailPrivacy, .gmailImageProxy, .yahooMailProxy, .bareAgent, .notKept,
            ])
        ),
        ("PayloadFormat", names([PayloadFormat.dynamics365, .adobeCampaign, .bird, .email, .plain])),
        (
            "AccessedRecords",
            names([
                AccessedRecords.consents, .consentRequests, .decisions, .interactions, .export, .accesses, .timeline,
            ])
        ),
        ("Platform", names([Platform.ios, .android])),
    ]

    private static func names<Word: OpenName>(_ words: [Word]) -> Set<String> { Set(words.map(\.rawValue)) }

    @Test("every word of the document has a constant", arguments: words.indices)
    func constants(_ index: Int) {
        let (schema, constants) = Self.words[index]
        #expect(SchemaSample.words(of: schema) == constants, "\(schema)")
    }
}
