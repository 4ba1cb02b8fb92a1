import Testing

@Suite struct ArchitectureTests {
    private static let rules: [(name: String, check: @Sendable (SourceFile) -> [Violation])] = [
        ("a file imports only what its target may", ArchitectureRules.imports),
        ("storage and spool are ports to all but the files that open them", ArchitectureRules.adapters),
        ("headers of OpenSSL are included by the shim's C files alone", ArchitectureRules.openSSLHeaders),
        ("a domain target reads no clock and no environment", ArchitectureRules.outsideWorld),
        ("no file is longer than 300 lines", ArchitectureRules.length),
        ("the file that joins the parts of the service is read on two screens", ArchitectureRules.rootLength),
        ("no function is longer than 60 lines", ArchitectureRules.functionLength),
        ("a folder is named after what is in it", ArchitectureRules.folders),
        ("what the command shows is safe for a terminal", ArchitectureRules.terminal),
    ]

    @Test("the sources keep to the architecture", arguments: rules.indices)
    func sources(_ rule: Int) throws {
        let rule = Self.rules[rule]
        for violation in try Repository.sources().flatMap(rule.check) {
            Issue.record("\(rule.name) – \(violation)")
        }
    }

    @Test("the sources are there, all targets of them, and nothing else")
    func targets() throws {
        let files = try Repository.sources()
        #expect(Set(files.map(\.target)) == Set(ArchitectureRules.targets.map(\.name)))
        #expect(files.count > 100)
        #expect(files.contains { $0.path == ArchitectureRules.compositionRoot })
        #expect(files.flatMap(\.imports).count > 200, "imports are found")
    }

    @Test("a target may import only what a file of it imports", arguments: ArchitectureRules.targets.indices)
    func allowance(_ index: Int) throws {
        let target = ArchitectureRules.targets[index]
        let unused = ArchitectureRules.unusedImports(of: target, in: try Repository.sources())
        #expect(unused.isEmpty, "no file of \(target.name) imports \(unused.sorted())")
    }

    @Test("imports go one way: each target may import only those that stand before it in the list")
    func order() {
        var above: Set<String> = []
        for target in ArchitectureRules.targets {
            #expect(target.own.isSubset(of: above), "\(target.name) may import what stands below it")
            above.insert(target.name)
        }
        #expect(above.count == ArchitectureRules.targets.count)
        #expect(ArchitectureRules.targets.filter { $0.own.contains("COpenSSL") }.map(\.name) == ["Cryptography"])
        #expect(ArchitectureRules.targets.filter { $0.own.contains("CGumbo") }.map(\.name) == ["Messages"])
        #expect(ArchitectureRules.targets.filter { $0.isDomain && !$0.foreign.isEmpty }.isEmpty)
    }
}

/// Shows that a rule which is broken is found, and where.
@Suite struct ArchitectureRulesTests {
    private func file(_ text: String, _ path: String = "Sources/Consent/Decisions/X.swift") -> SourceFile {
        SourceFile(path: path, text: text)
    }

    @Test(
        "a function of 61 lines is found, one of 60 is not, whatever stands before its name",
        arguments: [
            "func f()", "    package static func f<T>(", "    @Sendable private func f()", "    init(",
            "    package init?(",
        ])
    func functionLength(_ start: String) {
        let indentation = String(start.prefix { $0 == " " })
        func text(_ lines: Int) -> String {
            ([start + " {"] + Array(repeating: indentation + "    work()", count: lines - 2) + [indentation + "}"])
                .joined(separator: "\n")
        }
        #expect(ArchitectureRules.functionLength(of: file(text(60))).isEmpty)
        #expect(
            ArchitectureRules.functionLength(of: file(text(61))).map(\.place) == ["Sources/Consent/Decisions/X.swift:1"]
        )
    }

    @Test(
        "an import that a target may not have is found, however it is spelt",
        arguments: [
            "import GRDB", "package import GRDB", "public import GRDB", "internal import GRDB", "private import GRDB",
            "@testable import GRDB", "@preconcurrency import GRDB", "@_spi(Rows) package import GRDB",
            "import struct GRDB.Row", "import func GRDB.open", "  import GRDB", "import GRDB // for rows",
            "import GRDB.Row",
            "/* rows */ import GRDB", "import  GRDB",
        ]
    )
    func badImport(_ line: String) {
        let violations = ArchitectureRules.imports(in: file("import Identifiers\n\n\(line)\n"))
        #expect(
            violations == [
                Violation(place: "Sources/Consent/Decisions/X.swift:3", problem: "Consent must not import GRDB")
            ])
    }

    @Test(
        "a string that looks like a comment hides nothing behind it",
        arguments: ["\"*/*\"", "\"https://x\"", "\"\\\"/*\""])
    func strings(_ literal: String) {
        #expect(ArchitectureRules.imports(in: file("let any = \(literal)\nimport GRDB")).map(\.place.last) == ["2"])
    }

    @Test(
        "what is no import is none",
        arguments: [
            "// import GRDB", "/// import GRDB", "/* import GRDB */", "/*\nimport GRDB\n*/", "let important = 1",
            "// a\nimport Identifiers", "import Synchronization",
        ]
    )
    func noImport(_ text: String) {
        #expect(ArchitectureRules.imports(in: file(text)).isEmpty)
    }

    @Test(
        "a target may not import what stands below it, a sibling it has no need of, or the outside world",
        arguments: [
            ("Identifiers", "Consent"), ("Consent", "Messages"), ("Consent", "Foundation"), ("Messages", "Glibc"),
            ("Interactions", "Dispatch"), ("TrackingIDs", "COpenSSL"), ("Service", "COpenSSL"), ("Formats", "CGumbo"),
            ("Formats", "Organizations"), ("StoragePorts", "Organizations"), ("SQL", "Organizations"),
            ("Redirect", "Hummingbird"), ("Redirect", "GRDB"), ("Redirect", "Foundation"),
            ("Redirect", "SQLiteStorage"),
            ("SQLiteStorage", "Redirect"), ("SQLiteStorage", "NIOCore"), ("SQLiteStorage", "SQLiteSpool"),
            ("SQLiteSpool", "SQLiteStorage"), ("SQLiteFiles", "Ledger"), ("Service", "GRDB"),
            ("consentlink", "Redirect"),
            ("consentlink", "SQLiteStorage"), ("JSON", "Identifiers"), ("Cryptography", "Identifiers"),
            ("Formats", "NIOCore"), ("Utils", "Swift"), ("ConsentLinkClient", "Identifiers"),
            ("ConsentLinkClient", "Service"),
        ]
    )
    func badPair(_ target: String, _ module: String) {
        let file = file("import \(module)", "Sources/\(target)/X.swift")
        #expect(ArchitectureRules.imports(in: file).count == 1)
    }

    @Test("an import that is allowed and that no file of the target has is found")
    func unusedImports() {
        let target = ArchitectureRules.Target("Consent", ["Identifiers", "Messages"], foreign: ["Dispatch", "GRDB"])
        let files = [
            file("package import Identifiers\n// import Messages"), file("import struct GRDB.Row"),
            file("import Dispatch", "Sources/Ledger/X.swift"),
        ]
        #expect(ArchitectureRules.unusedImports(of: target, in: files) == ["Dispatch", "Messages"])
    }

    @Test(
        "an adapter is imported by the files that open it, and by no other of Service",
        arguments: ["SQLiteSpool", "SQLiteStorage"])
    func adapters(_ adapter: String) {
        let line = "import \(adapter)"
        for path in ["DataFolder/FolderDatabases.swift", "Composition/Parts/StorageParts.swift"] {
            #expect(ArchitectureRules.adapters(in: file(line, "Sources/Service/\(path)")).isEmpty)
        }
        for path in ["DataFolder/DataFolder.swift", "Composition/ConsentLinkService.swift"] {
            let violations = ArchitectureRules.adapters(in: file("\n\(line)", "Sources/Service/\(path)"))
            #expect(violations.map(\.place) == ["Sources/Service/\(path):2"])
        }
    }

    @Test("a header of OpenSSL is found everywhere but in the shim's C files")
    func headers() {
        let line = "#include \"x.h\"\n#  include <openssl/evp.h>\n"
        #expect(ArchitectureRules.openSSLHeaders(in: file(line, "Sources/COpenSSL/aes256.c")).isEmpty)
        for path in ["Sources/COpenSSL/include/x.h", "Sources/CGumbo/x.c", "Sources/COpenSSL/x.h"] {
            #expect(ArchitectureRules.openSSLHeaders(in: file(line, path)).map(\.place) == ["\(path):2"])
        }
    }

    @Test(
        "a clock or the environment in a domain target is found",
        arguments: [
            "let now = Date()", "let now = Date.now", "ContinuousClock().now", "ProcessInfo.processInfo",
            "getenv(\"X\")",
            "clock_gettime(CLOCK_REALTIME, &time)", "get(\"https://x\", Date())", "accept(\"*/*\", Date())",
            "try await Task.sleep(for: .seconds(1))",
        ]
    )
    func clocks(_ line: String) {
        #expect(
            ArchitectureRules.outsideWorld(in: file("\n\(line)")).map(\.place) == [
                "Sources/Consent/Decisions/X.swift:2"
            ])
        #expect(ArchitectureRules.outsideWorld(in: file(line, "Sources/Service/X.swift")).isEmpty)
        #expect(ArchitectureRules.outsideWorld(in: file("// \(line)")).isEmpty)
    }

    @Test("names that only end alike are not found", arguments: ["hash.update(bytes)", "civilDate(days)", "sprint(x)"])
    func alike(_ line: String) {
        #expect(ArchitectureRules.outsideWorld(in: file(line)).isEmpty)
    }

    @Test("300 lines are taken, one more is not")
    func length() {
        let line = "let a = 1\n"
        #expect(ArchitectureRules.length(of: file(String(repeating: line, count: 300))).isEmpty)
        #expect(ArchitectureRules.length(of: file(String(repeating: line, count: 300) + "}")).count == 1)
        #expect(
            ArchitectureRules.length(of: file(String(repeating: line, count: 301))).map(\.place)
                == ["Sources/Consent/Decisions/X.swift:301"])
    }

    @Test("the file that joins the parts may have 150 lines, and another one more")
    func rootLength() {
        func found(_ lines: Int, _ path: String) -> [String] {
            ArchitectureRules.rootLength(of: file(String(repeating: "let a = 1\n", count: lines), path)).map(\.place)
        }
        let root = ArchitectureRules.compositionRoot
        #expect(found(150, root).isEmpty)
        #expect(found(151, root) == ["\(root):151"])
        #expect(found(151, "Sources/Service/Composition/StopSignal.swift").isEmpty)
    }

    @Test(
        "a folder that says nothing is found",
        arguments: ["Utils", "Helpers", "Common", "Core", "Manager", "Impl", "utils"])
    func folder(_ name: String) {
        #expect(ArchitectureRules.folders(of: file("", "Sources/Consent/\(name)/X.swift")).count == 1)
        #expect(ArchitectureRules.folders(of: file("", "Sources/Consent/Decisions/\(name).swift")).isEmpty)
    }
}
