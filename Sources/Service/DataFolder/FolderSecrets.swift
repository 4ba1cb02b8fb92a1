import Cryptography
import Foundation
import LocalFiles
import UseCases

/// The valid contents of the key files of a data folder.
enum FolderSecrets {
    static let secretLength = 32

    static func credential(_ bytes: [UInt8]) throws(FolderFinding.Fault) -> Credential {
        let text = trimmed(bytes)
        guard let key = Credential(text) else { throw .damaged }
        return key
    }

    /// What an editor may put around a key does not count.
    private static func trimmed(_ bytes: [UInt8]) -> String {
        String(decoding: FileContent.withoutByteOrderMark(bytes), as: UTF8.self)
            .trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// In hexadecimal.
    static func clusterKey(_ bytes: [UInt8]) throws(FolderFinding.Fault) -> SecretBytes {
        let text = trimmed(bytes)
        guard let key = try? Hexadecimal.decode(text), key.count == secretLength else { throw .damaged }
        return SecretBytes(key)
    }

    static func secret(_ bytes: [UInt8]) throws(FolderFinding.Fault) -> SecretBytes {
        guard bytes.count == secretLength else { throw .damaged }
        return SecretBytes(bytes)
    }
}
