import Configuration
import Foundation
import Glibc
import SystemPackage
import Yams

/// Settings from a YAML file, all of whose members are known.
struct SettingsFile {
    let provider: any ConfigProvider
    /// The settings that stand in it.
    let names: Set<String>

    /// - Throws: ``SettingError`` for `config` or for the first member that is unknown or of a wrong type.
    init(_ path: String) async throws(SettingError) {
        let text = try Self.text(path)
        do {
            names = try Self.check(text)
            provider = try await FileProvider<YAMLSnapshot>(filePath: FilePath(path))
        } catch let error as SettingError {
            throw error
        } catch let error as YamlError {
            throw Self.wrong(error.finding)
        } catch {
            throw Self.wrong("must be a YAML file")
        }
    }

    private static func text(_ path: String) throws(SettingError) -> String {
        guard let bytes = FileManager.default.contents(atPath: path) else {
            // Foundation does not say why it read nothing.
            let isFolder = FileStatus(following: path)?.type == .directory
            let reason =
                access(path, R_OK) == 0 ? (isFolder ? "it is a folder" : "unknown") : String(cString: strerror(errno))
            throw wrong("\(path) cannot be read: \(reason)")
        }
        guard let text = String(validating: bytes, as: UTF8.self) else { throw wrong("must be UTF-8") }
        return text
    }

    private static func wrong(_ expected: String) -> SettingError { SettingError(name: "config", expected: expected) }

    /// A provider is asked for names that are known; what else stands in its file it does not tell.
    private static func check(_ text: String) throws -> Set<String> {
        guard let document = try Yams.load(yaml: text) as? [String: Any] else {
            throw wrong("must hold settings, one a line, such as threads: 2")
        }
        // Reading the document merges the members of `<<` into it; the provider does not, and would leave them out.
        let merging = try Yams.compose(yaml: text)?.mapping?.keys.first { $0.tag == Tag(.merge) }
        if let merging { throw ServiceSettings.unknown(merging.string ?? "<<") }
        for (name, value) in document.sorted(by: { $0.key < $1.key }) {
            guard ServiceSettings.names.contains(name) else { throw ServiceSettings.unknown(name) }
            // A provider answers nothing for a list where a text is asked for, as if the setting were not there.
            guard value is String || value is any Numeric || value is Bool else {
                throw SettingError(name: name, expected: "must be one value, and no list or group of them")
            }
        }
        return Set(document.keys)
    }
}

extension YamlError {
    /// What is wrong with a file, and in which line. Says nothing of its values.
    fileprivate var finding: String {
        switch self {
        case .scanner(_, let problem, let mark, _), .parser(_, let problem, let mark, _),
            .composer(_, let problem, let mark, _):
            "line \(mark.line): \(problem)"
        case .duplicatedKeysInMapping(let names, _): "\(names.sorted().joined(separator: ", ")): stands there twice"
        case .reader(let problem, _, _, _): problem
        default: "must be a YAML file"
        }
    }
}
