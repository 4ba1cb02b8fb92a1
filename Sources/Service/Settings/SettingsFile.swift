import Foundation
import LocalFiles
import SystemPackage
import Yams

/// Settings from a YAML file, all of whose members are known.
struct SettingsFile {
    /// The settings in the file, as they are written.
    let values: [String: String]

    /// - Throws: ``SettingError`` for `config` or for the first member that is unknown or of a wrong type.
    init(_ path: String) throws(SettingError) {
        let text = try Self.text(path)
        do {
            values = try Self.values(in: text)
        } catch let error as SettingError {
            throw error
        } catch let error as YamlError {
            throw Self.wrong(error.finding)
        } catch {
            throw Self.wrong("must be a YAML file")
        }
    }

    private static func text(_ path: String) throws(SettingError) -> String {
        let bytes: [UInt8]
        do throws(Errno) {
            bytes = try FileContent.read(path)
        } catch {
            throw wrong("\(path) cannot be read: \(error == .isDirectory ? "it is a folder" : "\(error)")")
        }
        let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]
        let content = bytes.starts(with: byteOrderMark) ? bytes.dropFirst(byteOrderMark.count) : bytes[...]
        guard let text = String(validating: content, as: UTF8.self) else { throw wrong("must be UTF-8") }
        return text
    }

    private static func wrong(_ expected: String) -> SettingError { SettingError(name: "config", expected: expected) }

    /// Settings are read by known names; other members of the file would be ignored.
    private static func values(in text: String) throws -> [String: String] {
        guard let document = try Yams.load(yaml: text) as? [String: Any] else {
            throw wrong("must hold settings, one a line, such as threads: 2")
        }
        // Parsing the document merges the members of `<<` into it; its nodes do not have them.
        let nodes = try Yams.compose(yaml: text)?.mapping ?? [:]
        if let merging = nodes.keys.first(where: { $0.tag == Tag(.merge) }) {
            throw ServiceSettings.unknown(merging.string ?? "<<")
        }
        // A list has no text.
        let texts = nodes.compactMap { name, value in name.string.flatMap { name in value.text.map { (name, $0) } } }
        let values = Dictionary(texts) { first, _ in first }
        for (name, value) in document.sorted(by: { $0.key < $1.key }) {
            guard ServiceSettings.names.contains(name) else { throw ServiceSettings.unknown(name) }
            guard !(value is NSNull) else {
                throw SettingError(name: name, expected: "has no value: write one, or leave the setting out")
            }
            guard values[name] != nil else {
                throw SettingError(name: name, expected: "must be one value, not a list or a group of values")
            }
            guard values[name]?.contains("\0") == false else {
                throw SettingError(name: name, expected: "must have no NUL character")
            }
        }
        return values
    }
}

extension Yams.Node {
    /// A single value as it is written, of any type: a date, too. `nil` for a list or a group of values.
    fileprivate var text: String? {
        guard case .scalar(let value) = self else { return nil }
        return value.string
    }
}

extension YamlError {
    /// The fault of a file, with its line. It contains none of the values.
    fileprivate var finding: String {
        switch self {
        case .scanner(_, let problem, let mark, _), .parser(_, let problem, let mark, _),
            .composer(_, let problem, let mark, _):
            "line \(mark.line): \(problem)"
        case .duplicatedKeysInMapping(let names, _): "\(names.sorted().joined(separator: ", ")): set twice"
        case .reader(let problem, _, _, _): problem
        default: "must be a YAML file"
        }
    }
}
