import Foundation
import PostgresClient

extension StorageChoice {
    private static let fileOptions: Set<String> = ["sslrootcert", "sslcert", "sslkey", "sslcrl", "passfile"]
    private static let plain = CharacterSet(
        charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789/-._~")

    /// A value of the setting with absolute paths of files: libpq finds a relative one from the working folder, which
    /// another process need not share.
    static func withAbsoluteFiles(_ text: String) -> String {
        guard let mark = text.firstIndex(of: "?"), let options = try? PostgresLocation(text).options else {
            return text
        }
        let parts = text[text.index(after: mark)...].split(separator: "&").map { part in
            let name = String(part.prefix { $0 != "=" })
            // `system` stands for the system's certificates.
            guard fileOptions.contains(name), let file = options[name], !file.isEmpty, !file.hasPrefix("/"),
                name != "sslrootcert" || file != "system",
                let path = ServiceSettings.absolute(file).path.addingPercentEncoding(withAllowedCharacters: plain)
            else { return String(part) }
            return "\(name)=\(path)"
        }
        return "\(text[...mark])\(parts.joined(separator: "&"))"
    }
}
