import LocalFiles
import NIOCore
import NIOSSL

/// Which certificates of endpoints a relay trusts.
enum EndpointTrust {
    /// The greatest length of the file of certificates, in bytes: some thousand of them.
    private static let greatestLength = 4 << 20

    /// - Parameters:
    ///   - file: certificates of authorities in PEM that are trusted besides those of the system; `nil` for none.
    ///   - system: those of the system.
    /// - Throws: ``RelayError/certificates(_:)``; ``RelayError/systemCertificates(_:)`` if no authority is trusted, so
    ///   that every delivery would fail as if its endpoint's certificate were not valid.
    static func context(
        adding file: String?, to system: SystemCertificates = SystemCertificates()
    ) throws(RelayError) -> NIOSSLContext {
        do { return try NIOSSLContext(configuration: try configuration(adding: file, to: system)) } catch {
            throw error as? RelayError ?? .systemCertificates("the TLS library cannot read them")
        }
    }

    /// As ``context(adding:to:)``, before the TLS library has read the certificates of the system.
    static func configuration(
        adding file: String?, to system: SystemCertificates
    ) throws(RelayError) -> TLSConfiguration {
        var configuration = TLSConfiguration.makeClientConfiguration()
        configuration.minimumTLSVersion = .tlsv12
        // The answer was read. Only the end is still sent, and the socket is kept no longer than this for the other
        // side's end.
        configuration.shutdownTimeout = .milliseconds(500)
        let own = try file.map(certificates)
        switch (own, system.exist) {
        case (let own?, true): configuration.additionalTrustRoots = [.certificates(own)]
        case (let own?, false): configuration.trustRoots = .certificates(own)
        case (nil, true): break
        case (nil, false):
            throw .systemCertificates(
                "there are none: install the package ca-certificates, or name a file of certificates (--trust)")
        }
        return configuration
    }

    private static func certificates(in file: String) throws(RelayError) -> [NIOSSLCertificate] {
        do {
            return try NIOSSLCertificate.fromPEMBytes(
                FileContent.whole(file, upTo: greatestLength))
        } catch let fault as FileContent.Fault {
            throw .certificates("\(fault)")
        } catch {
            throw .certificates("it is not PEM")
        }
    }
}
