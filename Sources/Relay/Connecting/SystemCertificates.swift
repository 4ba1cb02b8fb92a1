import ASCII
import Glibc
import LocalFiles

/// The certificates of authorities that this machine trusts, in the places where the TLS library looks for them.
struct SystemCertificates {
    private static let files = ["/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt"]
    private static let folder = "/etc/ssl/certs"

    /// Whether there is any. A machine or an image without the package `ca-certificates` has none.
    let exist: Bool

    /// - Parameters:
    ///   - files: each has certificates in PEM.
    ///   - folder: has a file or link for each certificate, named by the hash of its subject.
    init(files: [String] = files, folder: String = folder) {
        exist =
            files.contains { ((try? FileContent.read($0, atMost: 1)) ?? []).isEmpty == false }
            || Self.hasCertificate(folder)
    }

    private static func hasCertificate(_ folder: String) -> Bool {
        guard let stream = opendir(folder) else { return false }
        defer { closedir(stream) }
        while let entry = readdir(stream) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { $0.prefix { $0 != 0 }.map(\.self) }
            if isHash(name) { return true }
        }
        return false
    }

    /// Whether a name is eight hexadecimal digits, a full stop and digits, as `openssl rehash` makes them.
    private static func isHash(_ name: [UInt8]) -> Bool {
        name.count > 9 && name.prefix(8).allSatisfy(\.isLowerCaseHexDigit) && name[8] == UInt8(ascii: ".")
            && name.dropFirst(9).allSatisfy(\.isDigit)
    }
}
