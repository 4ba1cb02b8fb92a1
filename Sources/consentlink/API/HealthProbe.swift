import ArgumentParser
import AsyncHTTPClient
import ConsentLinkClient
import LocalFiles
import NIOCore
import NIOHTTP1
import NIOSSL
import Service

/// Sends requests that need no key to a service.
struct HealthProbe {
    private static let maximumAnswer = 4 << 20
    /// In bytes: some thousand certificates.
    private static let maximumCertificates = 4 << 20

    let base: String
    /// Trusted in addition to those of the system.
    private let certificates: [NIOSSLCertificate]

    /// - Parameters:
    ///   - option: the option that named it.
    ///   - certificates: a file of certificates in PEM that are trusted in addition to those of the system, and the
    ///     option that named it.
    /// - Throws: `CommandFailure`.
    init(
        base: String, option: String = "--api", trusting certificates: (file: String, option: String)? = nil
    ) throws(CommandFailure) {
        guard let address = ServiceAddress(base) else {
            throw CommandFailure(
                "consentlink: \(option) must be a URL such as http://127.0.0.1:8081", exitCode: ExitStatus.usage)
        }
        self.base = address.text
        self.certificates = try certificates.map(Self.certificates) ?? []
    }

    private static func certificates(
        in given: (file: String, option: String)
    ) throws(CommandFailure) -> [NIOSSLCertificate] {
        var reason = ""
        do {
            return try NIOSSLCertificate.fromPEMBytes(FileContent.whole(given.file, upTo: maximumCertificates))
        } catch let fault as FileContent.Fault {
            reason = ": \(given.file.shown): \(fault)"
        } catch {}
        throw CommandFailure(
            "consentlink: \(given.option) must be a file of certificates in PEM\(reason)", exitCode: ExitStatus.usage)
    }

    /// - Returns: `nil` if there is no answer.
    func get(_ path: String) async -> ServiceDiagnosis.Answer? { try? await answer(to: path).get() }

    /// The answer, or why there is none.
    func answer(to path: String) async -> Result<ServiceDiagnosis.Answer, ProbeFailure> {
        var settings = HTTPClient.Configuration()
        // A service that does not run must not be waited for.
        settings.connectionPool.retryConnectionEstablishment = false
        if !certificates.isEmpty {
            var tls = TLSConfiguration.makeClientConfiguration()
            tls.additionalTrustRoots = [.certificates(certificates)]
            settings.tlsConfiguration = tls
        }
        let client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: settings)
        defer { client.shutdown { _ in } }
        do {
            let response = try await client.execute(HTTPClientRequest(url: base + path), timeout: .seconds(5))
            var buffer = try await response.body.collect(upTo: Self.maximumAnswer)
            let bytes = buffer.readBytes(length: buffer.readableBytes) ?? []
            return .success(.init(status: Int(response.status.code), body: String(decoding: bytes, as: UTF8.self)))
        } catch {
            return .failure(Self.failure(error))
        }
    }

    private static func failure(_ error: any Error) -> ProbeFailure {
        // BoringSSL reports it only as text.
        if error is NIOSSLError, "\(error)".contains("CERTIFICATE_VERIFY_FAILED") { return .untrustedCertificate }
        if let error = error as? NIOSSLExtraError, error == .failedToValidateHostname { return .otherName }
        return .unreachable(reason: error.connectionText)
    }
}
