import LocalFiles
import TestSupport
import Testing

@testable import Relay

@Suite struct EndpointTrustTests {
    @Test(
        "a machine has certificates where the TLS library finds one",
        arguments: [
            ("", "", false), ("bundle.crt", "", false), ("bundle.crt", "PEM", true), ("5ed36f99.0", "", true),
            ("ssl-cert-snakeoil.pem", "PEM", false), ("5ed36f99", "PEM", false), ("5ed36f9x.0", "PEM", false),
        ])
    func systemCertificates(_ name: String, _ content: String, _ exist: Bool) throws {
        try TemporaryFolder.with { folder in
            if !name.isEmpty { try AtomicFile.write(Array(content.utf8), to: "\(folder.path)/\(name)") }
            let system = SystemCertificates(files: ["\(folder.path)/bundle.crt"], folder: folder.path)
            #expect(system.exist == exist)
            #expect(!SystemCertificates(files: [], folder: "\(folder.path)/missing").exist)
        }
    }

    @Test("without any certificate to trust there is no relay, and the reason names what is missing")
    func noCertificates() throws {
        let none = SystemCertificates(files: [], folder: "/nonexistent")
        let refusal = #expect(throws: RelayError.self) { _ = try EndpointTrust.context(adding: nil, to: none) }
        #expect(refusal?.description.contains("ca-certificates") == true)
    }
}
