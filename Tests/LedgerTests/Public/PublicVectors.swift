import Cryptography
import Foundation
import JSON
import Ledger

/// Where somebody has put the vectors that others publish, which are theirs and not in this repository:
/// `merkle/` and `tessera/` of github.com/transparency-dev and `wycheproof/` of github.com/C2SP, checked out in the folder
/// that `CONSENTLINK_PUBLIC_VECTORS` names.
enum PublicVectors {
    static let folder = ProcessInfo.processInfo.environment["CONSENTLINK_PUBLIC_VECTORS"].map {
        URL(filePath: $0, directoryHint: .isDirectory)
    }

    static func bytes(_ path: String) throws -> [UInt8] {
        guard let folder else { throw CocoaError(.fileNoSuchFile) }
        return Array(try Data(contentsOf: folder.appending(path: path)))
    }

    /// The entries of an entry bundle, each behind its length in two bytes.
    static func entries(_ bundle: [UInt8]) throws -> [[UInt8]] {
        var (entries, rest): ([[UInt8]], ArraySlice<UInt8>) = ([], bundle[...])
        while !rest.isEmpty {
            guard rest.count >= 2 else { throw CocoaError(.fileReadCorruptFile) }
            let length = Int(rest[rest.startIndex]) << 8 | Int(rest[rest.startIndex + 1])
            rest = rest.dropFirst(2)
            guard rest.count >= length else { throw CocoaError(.fileReadCorruptFile) }
            entries.append(Array(rest.prefix(length)))
            rest = rest.dropFirst(length)
        }
        return entries
    }

    /// Every JSON file below the folder, by its path.
    static func cases(_ path: String) -> [(name: String, fields: JSONObject)] {
        guard let root = folder?.appending(path: path, directoryHint: .isDirectory),
            let files = FileManager.default.enumerator(at: root, includingPropertiesForKeys: nil)
        else { return [] }
        return files.compactMap { $0 as? URL }.filter { $0.pathExtension == "json" }.sorted { $0.path < $1.path }
            .compactMap { file in
                guard let data = try? Data(contentsOf: file),
                    case .object(let fields) = try? JSONValue.parse(Array(data))
                else { return nil }
                return (String(file.path.dropFirst(root.path.count)), fields)
            }
    }
}

extension JSONObject {
    func number(_ name: String) -> UInt64? {
        guard case .number(let number) = self[name] else { return nil }
        return number.uint64
    }

    var isRefused: Bool { self["wantErr"] == .bool(true) }

    /// - Returns: `nil` for nothing. What is there and is no hash, as "don't care" of some cases is not, is stood for
    ///   by its own hash.
    func treeHash(_ name: String) -> TreeHash? {
        guard case .string(let text) = self[name] else { return nil }
        return Self.treeHash(text)
    }

    /// - Returns: `nil` when one of them is nothing.
    var proof: [TreeHash]? {
        guard case .array(let elements) = self["proof"] else { return [] }
        let hashes = elements.compactMap { element -> TreeHash? in
            guard case .string(let text) = element else { return nil }
            return Self.treeHash(text)
        }
        return hashes.count == elements.count ? hashes : nil
    }

    private static func treeHash(_ text: String) -> TreeHash? {
        guard let bytes = try? Base64.decode(text), !bytes.isEmpty else { return nil }
        return TreeHash(bytes.span) ?? TreeHash(SHA256.hash(of: bytes).span)
    }
}
