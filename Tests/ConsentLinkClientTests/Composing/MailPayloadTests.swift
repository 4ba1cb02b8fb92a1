import Testing

@testable import ConsentLinkClient

@Suite struct MailPayloadTests {
    @Test("a mail's payload is read with whose it is and where their page is, against the program itself")
    func mail() async throws {
        try await RunningService.with { service in
            let api = try ConsentLinkAPI(service.api, key: service.operatorKey)
            _ = try await api.createOrganization(NewOrganization(id: "acme", enforcement: .restrictive))
            let acme = try api.organization("acme")
            _ = try await acme.record([NewConsent(recipient: "ana@example.com", state: .given)])
            let common = "\(RunningService.publicURL)/preferences/acme"
            var message = Message(name: "newsletter")
            message.html = "<p>x</p>"
            message.text = "Preferences: {{consentlink.preferences}}"
            let people = ["ana@example.com", "bo@example.com"]
            let composed = try await acme.compose(PayloadOrder(message, format: .email), for: people)
            let mails = try composed.payloads.map { try $0.mail() }
            let own = "\(RunningService.publicURL)/p/\(mails[0].trackingId ?? "")"
            #expect(mails.map(\.preferencesUrl) == [own, common])
            #expect(mails.map(\.text) == ["Preferences: \(own)", "Preferences: \(common)"])
            #expect(mails.map(\.html) == ["<p>x</p>", "<p>x</p>"])
            #expect(mails[1].trackingId == "00000000-0000-0000-0000-000000000000")
            for (person, common) in zip(people, [nil, common]) {
                let mail = try await acme.rewrite(
                    RewriteRequest(messageId: composed.message, recipient: person, text: message.text))
                let page = common ?? "\(RunningService.publicURL)/p/\(mail.trackingId ?? "")"
                #expect(mail.preferencesUrl == page && mail.text == "Preferences: \(page)")
            }
        }
    }
}
