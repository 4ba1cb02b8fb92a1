import Configuration
import Foundation
import Glibc
import Identifiers
import Logging
import Messages
import StoragePorts

extension ServiceSettings {
    static let names =
        ["data", "backups", "listen", "api-listen", "console-listen", "console-url"] + providerNames + [
            "public-url", "link-lifetime", "min-ask-again-days", "disk-floor", "missing-data", "storage",
            "storage-password-file", "durability", "node-name", "cluster-key", "peer-address", "roles", "stale-clicks",
            "threads", "log-level",
        ]
    private static let environmentPrefix = "CONSENTLINK_"
    /// Variables of the command line that are no settings of the service.
    private static let otherVariables: Set<String> = [
        "CONSENTLINK_KEY", "CONSENTLINK_API", StorageChoice.passwordVariable, fileVariable,
        socketsVariable,
    ]
    /// The variable by which a process passes sockets to the next image of the program.
    static let socketsVariable = "CONSENTLINK_SOCKETS"
    /// Names the YAML file if no flag does.
    private static let fileVariable = "CONSENTLINK_CONFIG"

    /// Settings from flags, then the environment, then a YAML file. All of them are checked, from any source.
    ///
    /// - Parameters:
    ///   - flags: by name, without the dashes.
    ///   - file: the path of a YAML file; `nil` for the one that the environment names, if any.
    /// - Throws: ``SettingError`` for the first that is unknown or wrong.
    package static func load(
        flags: [String: String], environment: [String: String], file: String?
    ) async throws -> ServiceSettings {
        try refuseUnknownVariables(environment)
        var providers: [any ConfigProvider] = [
            InMemoryProvider(values: values { flags[$0] }),
            InMemoryProvider(values: values { environment[variable($0)] }),
        ]
        var inFile: [String: String] = [:]
        if let path = file ?? environment[fileVariable] {
            inFile = try SettingsFile(path).values
            providers.append(InMemoryProvider(values: values { inFile[$0] }))
        }
        for name in names where !SettingText.lists.contains(name) {
            guard let text = flags[name] ?? environment[variable(name)] ?? inFile[name] else { continue }
            let isFolder = name == "data" || name == "backups"
            let fault = isFolder ? SettingText.fault(inFolder: text) : SettingText.fault(in: text)
            if let fault { throw SettingError(name: name, expected: fault) }
        }
        var settings = try ServiceSettings(ConfigReader(providers: providers), environment: environment)
        for name in names {
            settings.sources[name] =
                if flags[name] != nil {
                    .flag
                } else if environment[variable(name)] != nil {
                    .environment
                } else if inFile[name] != nil {
                    .file
                } else {
                    .standard
                }
        }
        return settings
    }

    private init(_ config: ConfigReader, environment: [String: String]) throws(SettingError) {
        self.init()
        if let path = config.string(forKey: "data") {
            guard !path.isEmpty else { throw SettingError(name: "data", expected: "must be a folder") }
            dataFolder = Self.folder(path)
        }
        if let path = config.string(forKey: "backups") {
            guard !path.isEmpty, !Self.lies(path, in: dataFolder) else {
                throw SettingError(
                    name: "backups", expected: "must be a folder outside of data: backups in it would keep erased data")
            }
            backupFolder = path
        }
        listen = try Self.address(config, "listen") ?? listen
        apiListen = try Self.address(config, "api-listen") ?? apiListen
        publicURL = try Self.origin(config, "public-url")
        guard listen.port != 0 || publicURL != nil else {
            throw SettingError(name: "public-url", expected: "must be set if the port of listen is 0")
        }
        guard !listen.isEveryAddress || publicURL != nil else {
            throw SettingError(
                name: "public-url",
                expected: """
                    must be set if listen is every address of the machine: no link can begin with \(listen.host). \
                    Set it to the address by which readers reach the service, such as https://links.example.com
                    """)
        }
        try requireOrigin()
        guard !listen.overlaps(apiListen) else {
            throw SettingError(name: "api-listen", expected: "must be another address than listen")
        }
        try readConsole(config)
        linkLifetimeInDays = try Self.integer(config, "link-lifetime", in: 1...3650) ?? linkLifetimeInDays
        minimumPauseInDays = try Self.integer(config, "min-ask-again-days", in: 0...180) ?? minimumPauseInDays
        diskFloorInMebibytes = try Self.integer(config, "disk-floor", in: 0...1_048_576) ?? diskFloorInMebibytes
        missingData = try Self.choice(config, "missing-data") ?? missingData
        storageText = config.string(forKey: "storage") ?? storageText
        durability = try Self.choice(config, "durability") ?? durability
        storagePasswordFile = config.string(forKey: "storage-password-file")
        storage = try StorageChoice(
            storageText, durability: durability, passwordFile: storagePasswordFile,
            environment: environment)
        try readNode(config)
        threads = try Self.integer(config, "threads", in: 1...1024)
        logLevel = try Self.choice(config, "log-level") ?? logLevel
    }

    /// If links begin with the address of the public listener, that must be possible.
    private func requireOrigin() throws(SettingError) {
        do throws(TargetURLError) { _ = try publicOrigin } catch {
            throw SettingError(
                name: "public-url", expected: "must be set: links cannot begin with http://\(listen), which \(error)")
        }
    }

    private mutating func readConsole(_ config: ConfigReader) throws(SettingError) {
        if config.string(forKey: "console-listen") == "off" {
            consoleListen = nil
        } else if let address = try Self.address(config, "console-listen") {
            guard !address.overlaps(listen), !address.overlaps(apiListen) else {
                throw SettingError(
                    name: "console-listen", expected: "must be another address than listen and api-listen")
            }
            consoleListen = address
        }
        // Browsers send it as they write it, and the console compares bytes.
        consoleURL = try Self.origin(config, "console-url")?.serialized
        guard consoleURL?.text.hasPrefix("https://") ?? true else {
            throw SettingError(
                name: "console-url",
                expected: "must begin with https://: browsers keep the console's cookies only for https")
        }
        try readProvider { config.string(forKey: ConfigKey([$0])) }
    }

    /// The settings of this node among the others that share its storage.
    private mutating func readNode(_ config: ConfigReader) throws(SettingError) {
        clusterKey = try config.string(forKey: "cluster-key").map { file throws(SettingError) in
            try GivenClusterKey(file: file)
        }
        if let text = config.string(forKey: ConfigKey(["node-name"])) {
            guard let name = NodeName(text) else {
                throw SettingError(name: "node-name", expected: "must be \(NodeName.form)")
            }
            nodeName = name
        }
        peerAddress = try Self.origin(config, "peer-address")
        staleClicks = try Self.choice(config, "stale-clicks") ?? staleClicks
        guard let text = config.string(forKey: "roles") else { return }
        let names = text.split(separator: ",", omittingEmptySubsequences: false)
        let named = names.compactMap { NodeRole(rawValue: String($0)) }
        guard named.count == names.count, Set(named).count == named.count else {
            throw SettingError(name: "roles", expected: "must be links, api or links,api")
        }
        roles = Set(named)
        guard roles.count == NodeRole.allCases.count || storage.kind == .postgres else {
            throw SettingError(name: "roles", expected: "must be links,api if no other node shares the storage")
        }
    }

    /// The folder for backups. It is beside the data folder, not in it: no file there may contain erased data.
    var backupPath: String {
        Self.absolute(backupFolder ?? Self.absolute(dataFolder).path + "-backups").path
    }

    /// SQLite takes a path that begins with `file:` for a URI.
    package static func folder(_ path: String) -> String { path.hasPrefix("file:") ? "./\(path)" : path }

    /// A folder's absolute path, without `..`.
    static func absolute(_ path: String) -> URL { URL(filePath: path).absoluteURL.standardized }

    /// Compares the paths as written, and with symbolic links resolved.
    private static func lies(_ path: String, in folder: String) -> Bool {
        let (inner, outer) = (absolute(path), absolute(folder))
        return inner.pathComponents.starts(with: outer.pathComponents)
            || resolved(inner).pathComponents.starts(with: resolved(outer).pathComponents)
    }

    /// The target of a path, even of one that does not fully exist yet.
    private static func resolved(_ url: URL, depth: Int = 0) -> URL {
        let path = url.path(percentEncoded: false)
        if let real = realpath(path, nil) {
            defer { free(real) }
            return URL(filePath: String(cString: real))
        }
        // As many links as the kernel follows.
        guard depth < 40, url.pathComponents.count > 1 else { return url }
        let folder = url.deletingLastPathComponent()
        let link = folder.appending(path: url.lastPathComponent, directoryHint: .notDirectory)
        if let target = try? FileManager.default.destinationOfSymbolicLink(atPath: link.path(percentEncoded: false)) {
            return resolved(URL(filePath: target, relativeTo: folder).absoluteURL.standardized, depth: depth + 1)
        }
        return resolved(folder, depth: depth).appending(path: url.lastPathComponent)
    }

    private static func address(_ config: ConfigReader, _ name: String) throws(SettingError) -> ListenAddress? {
        guard let text = config.string(forKey: ConfigKey([name])) else { return nil }
        guard let address = ListenAddress(text) else {
            throw SettingError(name: name, expected: "must be HOST:PORT such as 127.0.0.1:8080")
        }
        return address
    }

    private static func origin(_ config: ConfigReader, _ name: String) throws(SettingError) -> PublicOrigin? {
        guard let text = config.string(forKey: ConfigKey([name])) else { return nil }
        do throws(TargetURLError) { return try PublicOrigin(text) } catch {
            throw SettingError(name: name, expected: error.description)
        }
    }

    private static func choice<Choice: RawRepresentable & CaseIterable>(
        _ config: ConfigReader, _ name: String
    ) throws(SettingError) -> Choice? where Choice.RawValue == String {
        guard let text = config.string(forKey: ConfigKey([name])) else { return nil }
        guard let choice = Choice(rawValue: text) else {
            let choices = Choice.allCases.map(\.rawValue).joined(separator: ", ")
            throw SettingError(name: name, expected: "must be one of \(choices)")
        }
        return choice
    }

    private static func integer(
        _ config: ConfigReader, _ name: String, in range: ClosedRange<Int>
    ) throws(SettingError) -> Int? {
        // Never read as a number: YAML 1.1 takes 030 for 24, and 3:20 for 200.
        guard let text = config.string(forKey: ConfigKey([name])) else { return nil }
        guard let value = Int.parse(decimal: text), range.contains(value) else {
            throw SettingError(
                name: name,
                expected: """
                    must be an integer from \(range.lowerBound) to \(range.upperBound), in decimal digits without a \
                    leading zero
                    """)
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

    /// The variable of the environment for a setting.
    package static func variable(_ name: String) -> String {
        environmentPrefix + name.uppercased().replacing("-", with: "_")
    }

    private static func refuseUnknownVariables(_ environment: [String: String]) throws(SettingError) {
        let known = otherVariables.union(names.map(variable))
        for name in environment.keys.sorted() where name.hasPrefix(environmentPrefix) && !known.contains(name) {
            throw environment["KUBERNETES_SERVICE_HOST"] != nil && isServiceLink(name)
                ? SettingError(
                    name: name,
                    expected:
                        "is not a setting: Kubernetes sets it for a service of that name. Set enableServiceLinks: "
                        + "false in the pod's spec")
                : unknown(name)
        }
    }

    /// Whether Kubernetes may have set a variable because a service has that name.
    private static func isServiceLink(_ name: String) -> Bool {
        name.hasSuffix("_SERVICE_HOST") || name.contains("_SERVICE_PORT") || name.hasSuffix("_PORT")
            || name.contains("_PORT_")
    }

    static func unknown(_ name: String) -> SettingError {
        SettingError(name: name, expected: "is not a setting; the settings are \(names.joined(separator: ", "))")
    }
}
