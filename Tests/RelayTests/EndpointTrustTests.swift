import LocalFiles
import NIOSSL
import TestSupport
import Testing

@testable import Relay

@Suite struct EndpointTrustTests {
    /// A certificate of an authority that signs nothing.
    private static let authority = """
        -----BEGIN CERTIFICATE-----
        MIIBdTCCARugAwIBAgIUeQl6VlpDBAsma0Z3cP1PuEV7jLIwCgYIKoZIzj0EAwIw
        DzENMAsGA1UEAwwEdGVzdDAgFw0yNjEyMDEwNDAwMzdaGA8yMTI2MTEwNzA0MDAz
        N1owDzENMAsGA1UEAwwEdGVzdDBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABIN2
        5t/zC5nA+S2tN19lphIn+AGZcyDv9VzVnPTwHXGMTonVyAXHchTSuCkI5pLxKR+G
        9duj6iRU3i/cnEKkuEejUzBRMB0GA1UdDgQWBBTG0SAYczZYWhqmsfGmpNwvdfcR
        kDAfBgNVHSMEGDAWgBTG0SAYczZYWhqmsfGmpNwvdfcRkDAPBgNVHRMBAf8EBTAD
        AQH/MAoGCCqGSM49BAMCA0gAMEUCIQDhxcfrX7bTbLdF9HqpI1lusrKIa0ZL25Vt
        q0H2s2uNRQIgY+AZEGsPdOmHZY9EVs3cojrb+OuLWSrr8hftnRDtUCo=
        -----END CERTIFICATE-----

        """

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

    @Test("own certificates are trusted besides those of the system, and alone only where it has none")
    func ownCertificates() throws {
        try TemporaryFolder.with { folder in
            let (file, bundle) = ("\(folder.path)/own.pem", "\(folder.path)/bundle.crt")
            try AtomicFile.write(Array(Self.authority.utf8), to: file)
            try AtomicFile.write(Array("PEM".utf8), to: bundle)
            let own = try NIOSSLCertificate.fromPEMBytes(Array(Self.authority.utf8))
            let some = SystemCertificates(files: [bundle], folder: "/nonexistent")
            let both = try EndpointTrust.configuration(adding: file, to: some)
            // The default roots are those of the system.
            #expect(both.trustRoots ?? .default == .default)
            #expect(both.additionalTrustRoots == [.certificates(own)])
            let none = SystemCertificates(files: [], folder: "/nonexistent")
            #expect(try EndpointTrust.configuration(adding: file, to: none).trustRoots == .certificates(own))
            let system = try EndpointTrust.configuration(adding: nil, to: some)
            #expect(system.trustRoots ?? .default == .default && system.additionalTrustRoots.isEmpty)
        }
    }

    @Test("without any certificate to trust there is no relay, and the reason names what is missing")
    func noCertificates() throws {
        let none = SystemCertificates(files: [], folder: "/nonexistent")
        let refusal = #expect(throws: RelayError.self) { _ = try EndpointTrust.context(adding: nil, to: none) }
        #expect(refusal?.description.contains("ca-certificates") == true)
    }
}
