import Pages
import Testing
import TrackingIDs

@testable import Redirect

/// The page of a link that does not lead on, in the language of its reader.
@Suite struct RefusalLanguageTests {
    private func closing(_ token: String, _ method: String, headers: String) -> String {
        "\(method) /r/\(token) HTTP/1.1\r\nHost: links.example\r\n\(headers)Connection: close\r\n\r\n"
    }

    @Test("a refused reader gets the page in the language that they chose, or their browser asks for")
    func languages() async throws {
        try await PublicServer.run { server in
            let html = "Accept: text/html\r\n"
            for (token, header, language) in [
                ("x", "", "en"), ("x", "Accept-Language: de-AT,en;q=0.5\r\n", "de"),
                ("x?lang=fi", "accept-language:  de\r\n", "fi"), ("x/?a=b&lang=SV", "", "sv"),
                ("x", "Accept-Language: pl\r\nAccept-Language: cs\r\n", "pl"),
                ("x?lang=xx", "Accept-Language: zz\r\n", "en"),
            ] {
                for method in ["GET", "HEAD", "POST"] {
                    let answer = try await server.answer(to: closing(token, method, headers: html + header))
                    #expect(answer.contains("\r\nContent-Language: \(language)\r\n"), "\(method) \(token) \(header)")
                    #expect(answer.contains("\r\nVary: Accept, Accept-Language\r\n"))
                    #expect(answer.contains("<html lang=\"\(language)\"") == (method != "HEAD"))
                }
            }
        }
    }

    @Test("a request that waits is refused in its own language, not in that of the one before")
    func languageOfOneThatWaits() async throws {
        try await PublicServer.run { server in
            let unknown = try server.keys.value.token(message: 9)
            func get(_ language: String) -> String {
                HTTPText.get("/r/\(unknown)", headers: "Accept: text/html\r\nAccept-Language: \(language)\r\n")
            }
            let client = try await server.connect()
            server.messages.isHeld = true
            try await client.send(get("de") + get("fr") + get("it"))
            server.messages.isHeld = false
            #expect(await client.hasAnswers(3))
            let shown = client.text.matches(of: #/\r\nContent-Language: (\w\w)\r\n/#).map(\.1)
            #expect(shown == ["de", "fr", "it"])
        }
    }

    @Test("every refusal is there in every language, and says so", arguments: PageLanguage.allCases)
    func everyRefusal(_ language: PageLanguage) {
        for reason in RefusalResponse.Reason.allCases {
            let (header, body) = RefusalResponse(reason).content(in: language)
            let fields = Dictionary(uniqueKeysWithValues: header.map { ($0.name, $0.value) })
            #expect(fields["Content-Language"] == language.tag)
            #expect(fields["Content-Length"] == String(body.utf8.count))
            #expect(body.contains("<html lang=\"\(language.tag)\""))
            #expect(!body.contains("<form"))
        }
        let titles = RefusalResponse.Reason.allCases.map { RefusalResponse($0).content(in: language).body }
        #expect(Set(titles).count == RefusalResponse.Reason.allCases.count)
    }
}
