import Configuration
import Foundation
import Logging
import Messages
import SystemPackage
import Yams

extension ServiceSettings {
    private static let names = [
        "data", "backups", "listen", "api-listen", "public-url", "link-lifetime", "threads", "log-level",
    ]
    private static let environmentPrefix = "CONSENTLINK_"
    /// Variables of the command line that are no settings of the service.
    private static let otherVariables: Set<String> = ["CONSENTLINK_KEY", "CONSENTLINK_API"]

    /// Settings from flags, then the environment, then a YAML file. All of them are checked, wherever they come from.
    ///
    /// - Parameters:
    ///   - flags: by name, without the dashes.
    ///   - file: the path of a YAML file.
    /// - Throws: ``SettingError`` for the first that is unknown or wrong.
    package static func load(
        flags: [String: String], environment: [String: String], file: String?
    ) async throws -> ServiceSettings {
        try refuseUnknownVariables(environment)
        var providers: [any ConfigProvider] = [
            InMemoryProvider(values: values { flags[$0] }),
            InMemoryProvider(values: values { environment[variable($0)] }),
        ]
        if let file { providers.append(try await yaml(file)) }
        return try ServiceSettings(ConfigReader(providers: providers))
    }

    private init(_ config: ConfigReader) throws(SettingError) {
        self.init()
        if let path = config.string(forKey: "data") {
            guard !path.isEmpty else { throw SettingError(name: "data", expected: "must be a folder") }
            dataFolder = path
        }
        if let path = config.string(forKey: "backups") {
            guard !path.isEmpty, !Self.lies(path, in: dataFolder) else {
                throw SettingError(name: "backups", expected: "must be a folder outside of data, where erasing reaches")
            }
            backupFolder = path
        }
        listen = try Self.address(config, "listen") ?? listen
        apiListen = try Self.address(config, "api-listen") ?? apiListen
        if let text = config.string(forKey: "public-url") {
            do throws(TargetURLError) {
                publicURL = try PublicOrigin(text)
            } catch {
                throw SettingError(name: "public-url", expected: error.description)
            }
        }
        guard listen.port != 0 || publicURL != nil else {
            throw SettingError(name: "public-url", expected: "must be set where the port of listen is 0")
        }
        linkLifetimeInDays = try Self.integer(config, "link-lifetime", in: 1...3650) ?? linkLifetimeInDays
        threads = try Self.integer(config, "threads", in: 1...1024)
        if let text = config.string(forKey: "log-level") {
            guard let level = Logger.Level(rawValue: text) else {
                let levels = Logger.Level.allCases.map(\.rawValue).joined(separator: ", ")
                throw SettingError(name: "log-level", expected: "must be one of \(levels)")
            }
            logLevel = level
        }
    }

    /// Where backups go. Beside the data folder and not in it: what is erased must be in no file there.
    var backupPath: String {
        Self.place(backupFolder ?? Self.place(dataFolder).path + "-backups").path
    }

    /// A folder's absolute path, without `..`.
    private static func place(_ path: String) -> URL { URL(filePath: path).absoluteURL.standardized }

    private static func lies(_ path: String, in folder: String) -> Bool {
        let (inner, outer) = (place(path), place(folder))
        return inner.pathComponents.starts(with: outer.pathComponents)
    }

    private static func address(_ config: ConfigReader, _ name: String) throws(SettingError) -> ListenAddress? {
        guard let text = config.string(forKey: ConfigKey([name])) else { return nil }
        guard let address = ListenAddress(text) else {
            throw SettingError(name: name, expected: "must be HOST:PORT such as 127.0.0.1:8080")
        }
        return address
    }

    private static func integer(
        _ config: ConfigReader, _ name: String, in range: ClosedRange<Int>
    ) throws(SettingError) -> Int? {
        let key = ConfigKey([name])
        guard config.string(forKey: key) != nil || config.int(forKey: key) != nil else { return nil }
        guard let value = config.int(forKey: key) ?? config.string(forKey: key).flatMap(Int.init), range.contains(value)
        else {
            throw SettingError(
                name: name, expected: "must be an integer from \(range.lowerBound) to \(range.upperBound)")
        }
        return value
    }

    private static func values(_ text: (String) -> String?) -> [AbsoluteConfigKey: ConfigValue] {
        var values: [AbsoluteConfigKey: ConfigValue] = [:]
        for name in names {
            if let text = text(name) { values[AbsoluteConfigKey([name])] = .init(.string(text), isSecret: false) }
        }
        return values
    }

    private static func variable(_ name: String) -> String {
        environmentPrefix + name.uppercased().replacing("-", with: "_")
    }

    private static func refuseUnknownVariables(_ environment: [String: String]) throws(SettingError) {
        let known = otherVariables.union(names.map(variable))
        for name in environment.keys.sorted() where name.hasPrefix(environmentPrefix) && !known.contains(name) {
            throw unknown(name)
        }
    }

    private static func unknown(_ name: String) -> SettingError {
        SettingError(name: name, expected: "is not a setting; the settings are \(names.joined(separator: ", "))")
    }

    private static func yaml(_ path: String) async throws(SettingError) -> any ConfigProvider {
        do {
            try refuseUnknownNames(inFile: path)
            return try await FileProvider<YAMLSnapshot>(filePath: FilePath(path))
        } catch let error as SettingError {
            throw error
        } catch {
            throw SettingError(name: "config", expected: "must be a YAML file that can be read")
        }
    }

    /// A provider is asked for names that are known; what else stands in its file it does not tell.
    private static func refuseUnknownNames(inFile path: String) throws {
        let text = try String(contentsOfFile: path, encoding: .utf8)
        guard let document = try Yams.load(yaml: text) as? [String: Any] else {
            throw SettingError(name: "config", expected: "must hold settings, one a line, such as threads: 2")
        }
        for (name, value) in document.sorted(by: { $0.key < $1.key }) {
            guard names.contains(name) else { throw unknown(name) }
            // A provider answers nothing for a list where a text is asked for, as if the setting were not there.
            guard value is String || value is any Numeric || value is Bool else {
                throw SettingError(name: name, expected: "must be one value, and no list or group of them")
            }
        }
    }
}
