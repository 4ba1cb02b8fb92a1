/// What `docs/architecture.md` promises of the sources.
enum ArchitectureRules {
    /// A target, and what it may import besides the standard library.
    struct Target {
        let name: String
        /// Targets of this package, all of which stand above it in the list.
        let own: Set<String>
        let foreign: Set<String>
        /// Decides without I/O, clock and environment.
        let isDomain: Bool

        init(_ name: String, _ own: Set<String> = [], foreign: Set<String> = [], isDomain: Bool = true) {
            self.name = name
            self.own = own
            self.foreign = foreign
            self.isDomain = isDomain
        }
    }

    private static let domain: Set<String> = [
        "Identifiers", "Consent", "Ledger", "TrackingIDs", "Messages", "Interactions", "StoragePorts", "Organizations",
        "Reports", "Webhooks",
    ]

    /// A target imports only targets that stand above it in this list.
    static let targets = [
        Target("COpenSSL", isDomain: false),
        Target("CPostgres", isDomain: false),
        Target("CSQLite", isDomain: false),
        Target("CMalloc", isDomain: false),
        Target("CProcess", isDomain: false),
        Target("CGumbo", isDomain: false),
        Target("CUnicode", isDomain: false),
        Target("ASCII"),
        Target("Cryptography", ["ASCII", "COpenSSL"]),
        Target("JSON", ["ASCII"]),
        Target("Identifiers", ["ASCII", "CUnicode"]),
        Target("Counting"),
        Target("Waiting", isDomain: false),
        Target("Pages", ["ASCII", "Cryptography"]),
        Target("Consent", ["ASCII", "Identifiers"]),
        Target("Ledger", ["ASCII", "Consent", "Cryptography", "Identifiers", "JSON"]),
        Target("TrackingIDs", ["Cryptography", "Identifiers"]),
        Target("Messages", ["ASCII", "CGumbo", "Identifiers", "JSON"]),
        Target("Interactions", ["ASCII", "Identifiers"]),
        Target("StoragePorts", ["ASCII", "Consent", "Identifiers", "Messages"]),
        Target("Organizations", ["Consent", "Identifiers", "Messages", "StoragePorts"]),
        Target("Reports", ["Consent", "Identifiers", "Interactions", "Messages"]),
        Target("Webhooks", ["ASCII", "Consent", "Cryptography", "Identifiers", "Interactions", "JSON", "Messages"]),
        Target("Formats", ["ASCII", "Consent", "Identifiers", "Interactions", "JSON", "Messages", "TrackingIDs"]),
        Target("LocalFiles", foreign: ["Glibc", "SystemPackage"], isDomain: false),
        Target("SQL", ["StoragePorts"], isDomain: false),
        Target(
            "SQLStorage", domain.subtracting(["TrackingIDs"]).union(["ASCII", "Cryptography", "JSON", "SQL"]),
            isDomain: false),
        Target(
            "SQLiteFiles", ["CSQLite", "Identifiers", "LocalFiles", "SQL"],
            foreign: ["Dispatch", "GRDB", "GRDBSQLite", "Glibc", "SystemPackage"], isDomain: false),
        Target(
            "SQLiteSpool", ["Cryptography", "Identifiers", "Interactions", "SQL", "SQLiteFiles", "StoragePorts"],
            foreign: ["GRDB"], isDomain: false),
        Target(
            "SQLiteMirror",
            ["Consent", "Cryptography", "Identifiers", "Messages", "SQL", "SQLiteFiles", "StoragePorts"],
            foreign: ["Dispatch", "Foundation", "GRDB"], isDomain: false),
        Target("PostgresClient", ["ASCII", "CPostgres", "SQL", "StoragePorts"], foreign: ["Glibc"], isDomain: false),
        Target(
            "PostgresStorage",
            ["Cryptography", "Identifiers", "Ledger", "PostgresClient", "SQL", "SQLStorage", "StoragePorts"],
            isDomain: false),
        Target(
            "SQLiteStorage",
            ["Cryptography", "Identifiers", "SQL", "SQLStorage", "SQLiteFiles", "StoragePorts"],
            foreign: ["GRDB", "Glibc"], isDomain: false),
        Target("HTTPConnections", ["ASCII", "Counting"], foreign: ["Glibc", "NIOCore", "NIOHTTP1"], isDomain: false),
        Target(
            "Redirect",
            domain.subtracting(["Ledger", "Reports", "Webhooks"]).union([
                "ASCII", "Counting", "Formats", "HTTPConnections", "Pages", "Waiting",
            ]),
            foreign: ["Dispatch", "Glibc", "NIOCore", "NIOHTTP1"],
            isDomain: false),
        Target(
            "UseCases", domain.union(["Counting", "Cryptography", "Formats", "JSON", "Redirect", "Waiting"]),
            foreign: ["Logging"], isDomain: false),
        Target(
            "HTTPAPI",
            domain.union([
                "ASCII", "Counting", "Cryptography", "Formats", "HTTPConnections", "JSON", "Pages", "Redirect",
                "UseCases", "Waiting",
            ]),
            foreign: [
                "CoreMetrics", "HTTPTypes", "Hummingbird", "HummingbirdCore", "Logging", "NIOCore", "NIOHTTP1",
                "NIOPosix",
                "Glibc",
            ], isDomain: false),
        Target(
            "OpenIDConnect", ["ASCII", "Cryptography", "JSON"],
            foreign: ["AsyncHTTPClient", "JWTKit", "NIOCore", "NIOHTTP1"], isDomain: false),
        Target(
            "Console",
            domain.union([
                "ASCII", "Counting", "Cryptography", "HTTPAPI", "JSON", "OpenIDConnect", "Pages", "Redirect",
                "UseCases", "Waiting",
            ]),
            foreign: ["Crypto", "Foundation", "HTTPTypes", "Hummingbird", "Logging", "Mustache", "NIOCore"],
            isDomain: false),
        Target(
            "Service",
            domain.subtracting(["Reports"]).union([
                "CMalloc", "CProcess", "Console", "Counting", "Cryptography", "HTTPAPI", "HTTPConnections", "JSON",
                "LocalFiles", "OpenIDConnect", "PostgresClient", "PostgresStorage",
                "Redirect", "SQL", "SQLStorage", "SQLiteFiles", "SQLiteMirror", "SQLiteSpool",
                "SQLiteStorage", "UseCases", "Waiting",
            ]),
            foreign: [
                "AsyncHTTPClient", "Configuration", "CoreMetrics", "Dispatch", "HTTPTypes", "HummingbirdCore",
                "Logging",
                "NIOCore", "NIOHTTP1", "NIOHTTPTypes",
                "NIOHTTPTypesHTTP1", "NIOPosix", "ServiceLifecycle", "SystemPackage", "UnixSignals", "Yams",
                "Foundation", "FoundationEssentials", "Glibc",
            ], isDomain: false),
        Target(
            "ConsentLinkClient", ["ASCII", "JSON"],
            foreign: ["AsyncHTTPClient", "Foundation", "NIOCore", "NIOHTTP1", "NIOPosix", "NIOSSL"], isDomain: false),
        Target(
            "Relay", ["ASCII", "ConsentLinkClient", "Cryptography", "Identifiers", "JSON", "LocalFiles", "Webhooks"],
            foreign: [
                "Glibc", "Logging", "NIOCore", "NIOHTTP1", "NIOPosix", "NIOSSL", "NIOTLS", "SystemPackage",
            ], isDomain: false),
        Target(
            "consentlink",
            [
                "ASCII", "Consent", "ConsentLinkClient", "Cryptography", "Identifiers", "Organizations", "JSON",
                "Ledger", "LocalFiles", "Relay", "Service", "StoragePorts",
            ],
            foreign: [
                "ArgumentParser", "AsyncHTTPClient", "NIOCore", "NIOHTTP1", "NIOPosix", "NIOSSL",
                "Dispatch", "Foundation", "Glibc", "SystemPackage",
            ], isDomain: false),
    ]

    /// Comes with the language, does no I/O and reads no clock.
    private static let language: Set<String> = ["Swift", "Synchronization"]

    static func imports(in file: SourceFile) -> [Violation] {
        guard file.path.hasSuffix(".swift") else { return [] }
        guard let target = targets.first(where: { $0.name == file.target }) else {
            return [Violation(place: file.path, problem: "stands in a target that the architecture does not know")]
        }
        let allowed = target.own.union(target.foreign).union(language)
        return file.imports.filter { !allowed.contains($0.module) }.map {
            Violation(place: file.place($0.line), problem: "\(target.name) must not import \($0.module)")
        }
    }

    /// What the target may import, and none of its files does.
    static func unusedImports(of target: Target, in files: [SourceFile]) -> Set<String> {
        let imported = files.filter { $0.target == target.name }.flatMap(\.imports).map(\.module)
        return target.own.union(target.foreign).subtracting(imported)
    }

    private static let adapters: Set<String> = ["PostgresStorage", "SQLiteMirror", "SQLiteSpool", "SQLiteStorage"]

    /// Where the adapters of storage and spool are opened, and where their ports are given away.
    private static let adapterFiles: Set<String> = [
        "Sources/Service/DataFolder/FolderDatabases.swift", "Sources/Service/DataFolder/FolderMigration.swift",
        "Sources/Service/Composition/Parts/StorageParts.swift",
        "Sources/Service/Composition/Parts/StorageParts+Folder.swift", "Sources/Service/Diagnosis/DatabaseTask.swift",
        "Sources/Service/Ledger/LedgerSealTask.swift",
        "Sources/Service/Migration/StorageMigration.swift", "Sources/Service/Migration/StorageMigration+End.swift",
        "Sources/Service/Migration/StorageMigration+Requirements.swift",
        "Sources/Service/Migration/MigrationCopy.swift", "Sources/Service/Migration/MigrationEnd.swift",
        "Sources/Service/Migration/MigrationSource.swift", "Sources/Service/Migration/MigrationTarget.swift",
        "Sources/Service/Storage/StorageOpening.swift",
        "Sources/Service/Composition/Parts/RedirectMemory.swift",
        "Sources/Service/Nodes/ClusterSecrets.swift", "Sources/Service/Storage/PostgresOpening.swift",
        "Sources/Service/Storage/ServerPatience.swift",
    ]

    /// Everything else depends on ports.
    static func adapters(in file: SourceFile) -> [Violation] {
        guard file.path.hasSuffix(".swift"), !adapterFiles.contains(file.path) else { return [] }
        return file.imports.filter { adapters.contains($0.module) }.map {
            Violation(place: file.place($0.line), problem: "only the files that open storage and spool import them")
        }
    }

    /// OpenSSL's own headers are seen by the C files of the shim, and by nothing that other targets see.
    static func openSSLHeaders(in file: SourceFile) -> [Violation] {
        file.code.filter { $0.text.contains("openssl/") && $0.text.contains(/#\s*(?:include|import)\s*[<"]openssl\//) }
            .filter { _ in !(file.target == "COpenSSL" && file.path.hasSuffix(".c")) }
            .map { Violation(place: file.place($0.line), problem: "includes a header of OpenSSL") }
    }

    /// What reads a clock or the environment, in any way the platform offers.
    private static let outsideWorld = [
        "Date(", "Date.now", "ContinuousClock", "SuspendingClock", "DispatchTime", "NIODeadline", "CFAbsoluteTime",
        "ProcessInfo", "getenv", "clock_gettime", "gettimeofday", "Task.sleep", "FileManager", "UserDefaults",
        "SystemRandomNumberGenerator", "print(",
    ]

    static func outsideWorld(in file: SourceFile) -> [Violation] {
        guard file.path.hasSuffix(".swift"), targets.contains(where: { $0.name == file.target && $0.isDomain }) else {
            return []
        }
        return file.code.flatMap { text, line in
            outsideWorld.filter { mentions($0, in: text) }.map {
                Violation(place: file.place(line), problem: "a domain target must not mention \($0)")
            }
        }
    }

    /// Whether `word` stands in `text`, and not as the end of a longer name such as `update(`.
    private static func mentions(_ word: String, in text: String) -> Bool {
        text.contains(word)
            && text.ranges(of: word).contains { range in
                guard range.lowerBound > text.startIndex else { return true }
                let before = text[text.index(before: range.lowerBound)]
                return !(before.isLetter || before.isNumber || before == "_")
            }
    }

    static let maximumLength = 300

    static func length(of file: SourceFile) -> [Violation] {
        guard file.lineCount > maximumLength else { return [] }
        return [Violation(place: file.place(maximumLength + 1), problem: "has \(file.lineCount) lines")]
    }

    /// The file that joins the parts of the service, and how many lines it may have: two screens.
    static let compositionRoot = "Sources/Service/Composition/ConsentLinkService.swift"
    static let greatestRootLength = 150

    static func rootLength(of file: SourceFile) -> [Violation] {
        guard file.path == compositionRoot, file.lineCount > greatestRootLength else { return [] }
        return [Violation(place: file.place(greatestRootLength + 1), problem: "has \(file.lineCount) lines")]
    }

    static let greatestFunctionLength = 60

    /// Counts the lines of a function or initialiser from its first to its closing brace, by the indentation that
    /// `swift format` gives them.
    static func functionLength(of file: SourceFile) -> [Violation] {
        guard file.path.hasSuffix(".swift") else { return [] }
        let lines = file.text.split(separator: "\n", omittingEmptySubsequences: false)
        let functionStart = Self.functionStart
        var violations: [Violation] = []
        for (first, line) in lines.enumerated() where line.contains(functionStart) {
            let closing = line.prefix { $0 == " " } + "}"
            guard
                let length = lines[(first + 1)...].firstIndex(where: { $0.hasPrefix(closing) }).map({ $0 - first + 1 }),
                length > greatestFunctionLength
            else { continue }
            violations.append(Violation(place: file.place(first + 1), problem: "a function of \(length) lines"))
        }
        return violations
    }

    /// A function or initialiser whose body does not end on its first line. Made for each file, as those of
    /// ``SourceFile`` are.
    private static var functionStart: Regex<(Substring)> {
        /^ *(?:(?:@\w+(?:\([^)]*\))?|package|public|private|fileprivate|static|mutating|consuming|borrowing|nonisolated|final|override) )*(?:func |init[?(<])(?!.*\}$)/
    }

    /// What the command shows is made safe for a terminal, and is missed where it cannot be written.
    static func terminal(of file: SourceFile) -> [Violation] {
        guard file.target == "consentlink", file.path.hasSuffix(".swift") else { return [] }
        let lines = file.text.split(separator: "\n", omittingEmptySubsequences: false)
        return lines.enumerated().filter { $0.element.contains(/(^|[^\w.])print\(/) }.map {
            Violation(place: file.place($0.offset + 1), problem: "print instead of say")
        }
    }

    private static let namelessFolders: Set<String> = ["utils", "helpers", "common", "core", "manager", "impl"]

    static func folders(of file: SourceFile) -> [Violation] {
        file.folders.filter { namelessFolders.contains($0.lowercased()) }.map {
            Violation(place: file.path, problem: "\($0) says nothing about what is in the folder")
        }
    }
}
