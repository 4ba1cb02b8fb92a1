import LocalFiles
import SystemPackage
import Yams

/// Settings from a YAML file, all of whose members are known.
struct SettingsFile {
    private static let maximumLength = 64 << 10
    private static let maximumAliases = 8

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
            bytes = try FileContent.read(path, atMost: maximumLength + 1)
        } catch {
            throw wrong("\(path) cannot be read: \(error == .isDirectory ? "it is a folder" : "\(error)")")
        }
        guard bytes.count <= maximumLength else { throw wrong("must have at most \(maximumLength) bytes") }
        let content = FileContent.withoutByteOrderMark(bytes)
        guard let text = String(validating: content, as: UTF8.self) else { throw wrong("must be UTF-8") }
        return text
    }

    private static func wrong(_ expected: String) -> SettingError { SettingError(name: "config", expected: expected) }

    /// Settings are read by known names; other members of the file would be ignored.
    ///
    /// Composes nodes and constructs no values: values of aliases multiply, and some constructions of Yams trap.
    private static func values(in text: String) throws -> [String: String] {
        guard aliases(in: text) <= maximumAliases else { throw wrong("must have at most \(maximumAliases) aliases") }
        guard let members = try Yams.compose(yaml: text)?.mapping else {
            throw wrong("must hold settings, one a line, such as threads: 2")
        }
        var values: [String: String] = [:]
        for (key, value) in members {
            let (name, text) = try setting(key, value)
            guard values.updateValue(text, forKey: name) == nil else { throw wrong(key, "\(name): set twice") }
        }
        return values
    }

    private static func setting(_ key: Yams.Node, _ value: Yams.Node) throws(SettingError) -> (String, String) {
        guard case .scalar(let written) = key else {
            throw wrong(key, "the name of a setting must be a text, not a list or a group of values")
        }
        let name = written.string
        // A merge would bring members that are not among these.
        guard key.tag != Tag(.merge), ServiceSettings.names.contains(name) else { throw ServiceSettings.unknown(name) }
        guard case .scalar(let text) = value else {
            throw SettingError(name: name, expected: "must be one value, not a list or a group of values")
        }
        guard value.tag != Tag(.null) else {
            throw SettingError(name: name, expected: "has no value: write one, or leave the setting out")
        }
        guard !text.string.contains("\0") else {
            throw SettingError(name: name, expected: "must have no NUL character")
        }
        // As it is written, of any type: a date, too.
        return (name, text.string)
    }

    private static func wrong(_ node: Yams.Node, _ problem: String) -> SettingError {
        wrong(node.mark.map { "line \($0.line): \(problem)" } ?? problem)
    }

    /// How many aliases there may be, at most. Whole lines of comment do not count.
    ///
    /// Yams compares the keys of a group with each other. In a key, few aliases of lists of aliases make billions of
    /// values.
    private static func aliases(in text: String) -> Int {
        text.utf8.split { "\n\r".utf8.contains($0) }.reduce(into: 0) { count, line in
            guard line.first(where: { !" \t".utf8.contains($0) }) != UInt8(ascii: "#") else { return }
            var before = UInt8(ascii: " ")
            for (byte, next) in zip(line, line.dropFirst()) {
                let begins = before >= 0x80 || " \t[{,:".utf8.contains(before)
                if byte == UInt8(ascii: "*"), begins, !" \t".utf8.contains(next) { count += 1 }
                before = byte
            }
        }
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
