import Testing

@testable import Service

struct PatroniDiagnosisTests {
    private static let synchronous = #"{"ttl":30,"synchronous_mode":true,"synchronous_mode_strict":true}"#

    private func findings(
        _ version: String, configuration: String? = synchronous, isQuorum: Bool = true
    ) -> [String] {
        let status = """
            {"state":"running","role":"primary","server_version":150018,"timeline":3,
            "patroni":{"version":"\(version)","scope":"consentlink"}}
            """
        return PatroniDiagnosis(
            base: "http://x:8008", status: .success(.init(status: 200, body: status)),
            configuration: configuration.map { .init(status: 200, body: $0) }, isQuorum: isQuorum
        ).entries.map(\.text)
    }

    @Test(
        "versions that may discard acknowledged commits are found",
        arguments: [
            ("3.0.2", true), ("3.0.4", true), ("2.1.7", true), ("1.6.5", true), ("3.1.0", false), ("3.1.0rc1", false),
            ("3.3.8", false), ("4.0.5", false), ("10.0", false),
        ])
    func versions(version: String, isFound: Bool) {
        #expect(findings(version).isEmpty != isFound)
        #expect(findings(version).allSatisfy { $0.contains(version) })
    }

    @Test("a mode that lets one server alone acknowledge is found where a quorum is asked for")
    func modes() {
        #expect(findings("4.0.5", configuration: "{}").count == 2)
        #expect(findings("4.0.5", configuration: "{}", isQuorum: false).isEmpty)
        let lax = #"{"synchronous_mode":"quorum","synchronous_mode_strict":false}"#
        #expect(
            findings("4.0.5", configuration: lax) == [
                """
                synchronous_mode is not true, and durability is quorum: after a failover a node may believe rules that are \
                no longer in force
                """,
                """
                synchronous_mode_strict is not true, and durability is quorum: only one server may have the \
                acknowledged writes
                """,
            ])
        #expect(findings("4.0.5", configuration: "no JSON") == ["its configuration cannot be read"])
        #expect(findings("4.0.5", configuration: nil).count == 1)
    }

    @Test(
        "what is no Patroni is told so",
        arguments: ["", "{}", #"{"patroni":{}}"#, #"{"patroni":{"version":3}}"#])
    func silence(body: String) {
        let entries = PatroniDiagnosis(
            base: "http://x:8008", status: .success(.init(status: 200, body: body)), configuration: nil,
            isQuorum: true
        ).entries
        #expect(entries.map(\.text) == ["no Patroni answers at http://x:8008"])
        #expect(entries.allSatisfy { $0.remedy != nil })
    }

    @Test(
        "why nothing answers is told, and what to do about it",
        arguments: [
            (ProbeFailure.untrustedCertificate, "its certificate is not trusted", "--patroni-ca FILE"),
            (.otherName, "its certificate is for another host", "that stands in its certificate"),
            (.unreachable(reason: "connection refused"), "connection refused", "https://db1.example.com:8008"),
        ])
    func failure(_ failure: ProbeFailure, _ reason: String, _ remedy: String) {
        let entries = PatroniDiagnosis(
            base: "https://x:8008", status: .failure(failure), configuration: nil, isQuorum: true
        ).entries
        #expect(entries.map(\.text) == ["no Patroni answers at https://x:8008: \(reason)"])
        #expect(entries.allSatisfy { $0.remedy?.contains(remedy) == true })
    }
}
