// swift-tools-version: 6.2

import PackageDescription

/// Set by `Tests/Fuzzing/run` alone. The fuzz targets, which otherwise are a part of their test target, then become a
/// library of their own, and everything of this package is built to tell the fuzzer which ways were taken.
let isFuzzing = Context.environment["CONSENTLINK_FUZZ"] != nil

/// Set by `Deploy/test` in CI alone. Our targets then can be tested: they are not optimized, and tests see their internals.
/// Dependencies are compiled as for the release build, which finds them compiled.
let isForTests = Context.environment["CONSENTLINK_TESTS"] != nil

/// Every target is held to the same rules: what a file uses it imports, an import is internal unless it
/// says otherwise, and an existential is spelt `any`.
let rules: [SwiftSetting] =
    [
        .swiftLanguageMode(.v6),
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("MemberImportVisibility"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .treatAllWarnings(as: .error),
        .treatWarning("DeprecatedDeclaration", as: .warning),
    ] + (isFuzzing ? [.unsafeFlags(["-sanitize=fuzzer", "-enable-testing", "-assert-config", "Debug"])] : [])
    + (isForTests ? [.unsafeFlags(["-enable-testing", "-Onone", "-gnone"])] : [])

/// A release build has Swift's own libraries in the program, which starts on machines without Swift then. The parts of
/// Foundation are named, because compiled sources name none of them: they are the same for tests, which are linked with
/// shared libraries.
///
/// Nothing looks for symbols in it: with a table of them the linker would have to keep all code that they name, a tenth of
/// the program. Packed relocations (glibc 2.36 reads them) are 4 MB less that each start reads; of Swift's linkers lld
/// alone can write them.
let program: [LinkerSetting] =
    isForTests
    ? []
    : [
        .unsafeFlags(
            [
                "-static-stdlib", "-use-ld=lld", "-lCoreFoundation", "-l_FoundationCShims", "-l_FoundationCollections",
                "-l_FoundationICU", "-Xlinker", "--no-export-dynamic", "-Xlinker", "-z", "-Xlinker",
                "pack-relative-relocs",
            ],
            .when(platforms: [.linux], configuration: .release))
    ]

/// What the fuzz targets look into.
let fuzzed: [Target.Dependency] = [
    "Consent", "Cryptography", "Formats", "HTTPConnections", "Identifiers", "Interactions", "JSON", "Messages",
    "Redirect", "TrackingIDs",
    .product(name: "NIOCore", package: "swift-nio"),
    .product(name: "NIOEmbedded", package: "swift-nio"),
    .product(name: "NIOHTTP1", package: "swift-nio"),
]

let fuzzing: [Target] =
    isFuzzing
    ? [
        .target(
            name: "FuzzTargets", dependencies: fuzzed,
            path: "Tests/Fuzzing/Targets",
            swiftSettings: rules
        ),
        .executableTarget(
            name: "Fuzzer", dependencies: ["FuzzTargets"],
            path: "Tests/Fuzzing/Fuzzer",
            swiftSettings: rules,
            linkerSettings: [.unsafeFlags(["-sanitize=fuzzer", "-use-ld=lld"])]
        ),
    ]
    : [
        .testTarget(
            name: "FuzzingTests", dependencies: fuzzed,
            path: "Tests/Fuzzing",
            exclude: ["Dictionaries", "Fuzzer", "run"],
            sources: ["Targets", "Replay"],
            resources: [.copy("Corpora")],
            swiftSettings: rules
        )
    ]

/// The targets stand in the order in which they are built: a target imports only targets that stand above it.
/// `docs/architecture.md` says what each is for, `Tests/ArchitectureTests` holds the sources to it.
let package = Package(
    name: "consentlink",
    products: [
        .executable(name: "consentlink", targets: ["consentlink"]),
        .library(name: "ConsentLinkClient", targets: ["ConsentLinkClient"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", exact: "1.8.2"),
        .package(url: "https://github.com/apple/swift-configuration", exact: "1.4.0", traits: ["YAML"]),
        .package(url: "https://github.com/apple/swift-crypto.git", exact: "4.5.2"),
        .package(url: "https://github.com/apple/swift-http-types", exact: "1.8.0"),
        .package(url: "https://github.com/apple/swift-log", exact: "1.16.2"),
        .package(url: "https://github.com/apple/swift-metrics", exact: "2.13.0"),
        .package(url: "https://github.com/apple/swift-nio", exact: "2.101.2"),
        .package(url: "https://github.com/apple/swift-nio-extras", exact: "1.35.2"),
        .package(url: "https://github.com/apple/swift-nio-ssl.git", exact: "2.37.6"),
        .package(url: "https://github.com/apple/swift-system", exact: "1.8.1"),
        .package(url: "https://github.com/groue/GRDB.swift", exact: "7.10.0"),
        .package(url: "https://github.com/hummingbird-project/hummingbird", exact: "2.28.1"),
        .package(url: "https://github.com/hummingbird-project/swift-mustache", exact: "2.1.1"),
        .package(url: "https://github.com/jpsim/Yams", exact: "6.2.2"),
        .package(url: "https://github.com/swift-server/async-http-client", exact: "1.37.0"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", exact: "2.13.0"),
        .package(url: "https://github.com/vapor/jwt-kit", exact: "5.7.1"),
    ],
    targets: [
        .target(
            name: "COpenSSL",
            cSettings: [.unsafeFlags(["-Wall", "-Wextra", "-Werror"])],
            linkerSettings: [.linkedLibrary("crypto")]
        ),
        .target(
            name: "CPostgres",
            cSettings: [.unsafeFlags(["-Wall", "-Wextra", "-Werror"])],
            linkerSettings: [.linkedLibrary("pq")]
        ),
        .target(
            name: "CSQLite",
            cSettings: [.unsafeFlags(["-Wall", "-Wextra", "-Werror"])],
            linkerSettings: [.linkedLibrary("sqlite3")]
        ),
        .systemLibrary(name: "CMalloc"),
        .systemLibrary(name: "CProcess"),
        .systemLibrary(name: "CGumbo"),
        .systemLibrary(name: "CUnicode"),
        .target(name: "ASCII", swiftSettings: rules),
        .target(name: "Cryptography", dependencies: ["ASCII", "COpenSSL"], swiftSettings: rules),
        .target(name: "JSON", dependencies: ["ASCII"], swiftSettings: rules),
        .target(name: "Identifiers", dependencies: ["ASCII", "CUnicode"], swiftSettings: rules),
        .target(name: "Counting", swiftSettings: rules),
        .target(name: "Waiting", swiftSettings: rules),
        .target(name: "Pages", dependencies: ["ASCII", "Cryptography"], swiftSettings: rules),
        .target(name: "Consent", dependencies: ["ASCII", "Identifiers"], swiftSettings: rules),
        .target(
            name: "Ledger", dependencies: ["ASCII", "Consent", "Cryptography", "Identifiers", "JSON"],
            swiftSettings: rules
        ),
        .target(name: "TrackingIDs", dependencies: ["Cryptography", "Identifiers"], swiftSettings: rules),
        .target(name: "Messages", dependencies: ["ASCII", "CGumbo", "Identifiers", "JSON"], swiftSettings: rules),
        .target(
            name: "Interactions", dependencies: ["ASCII", "Identifiers"],
            resources: [.embedInCode("Visitors/agents.tsv")],
            swiftSettings: rules
        ),
        .target(
            name: "StoragePorts", dependencies: ["ASCII", "Consent", "Identifiers", "Messages"], swiftSettings: rules),
        .target(
            name: "Organizations", dependencies: ["Consent", "Identifiers", "Messages", "StoragePorts"],
            swiftSettings: rules),
        .target(
            name: "Reports", dependencies: ["Consent", "Identifiers", "Interactions", "Messages"], swiftSettings: rules),
        .target(
            name: "Webhooks",
            dependencies: ["ASCII", "Consent", "Cryptography", "Identifiers", "Interactions", "JSON", "Messages"],
            swiftSettings: rules
        ),
        .target(
            name: "Formats",
            dependencies: ["ASCII", "Consent", "Identifiers", "Interactions", "JSON", "Messages", "TrackingIDs"],
            swiftSettings: rules
        ),
        .target(
            name: "LocalFiles", dependencies: [.product(name: "SystemPackage", package: "swift-system")],
            swiftSettings: rules),
        .target(name: "SQL", dependencies: ["StoragePorts"], swiftSettings: rules),
        .target(
            name: "SQLiteFiles",
            dependencies: [
                "CSQLite", "Identifiers", "LocalFiles", "SQL",
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "GRDBSQLite", package: "GRDB.swift"),
                .product(name: "SystemPackage", package: "swift-system"),
            ],
            swiftSettings: rules
        ),
        .target(
            name: "SQLiteSpool",
            dependencies: [
                "Cryptography", "Identifiers", "Interactions", "SQL", "SQLiteFiles", "StoragePorts",
                .product(name: "GRDB", package: "GRDB.swift"),
            ],
            swiftSettings: rules
        ),
        .target(
            name: "SQLiteMirror",
            dependencies: [
                "Consent", "Cryptography", "Identifiers", "Messages", "SQL", "SQLiteFiles", "StoragePorts",
                .product(name: "GRDB", package: "GRDB.swift"),
            ],
            swiftSettings: rules
        ),
        .target(
            name: "SQLStorage",
            dependencies: [
                "ASCII", "Consent", "Cryptography", "Identifiers", "Interactions", "JSON", "Ledger", "Messages",
                "Organizations", "Reports", "SQL", "StoragePorts", "Webhooks",
            ],
            swiftSettings: rules
        ),
        .target(
            name: "PostgresClient", dependencies: ["ASCII", "CPostgres", "SQL", "StoragePorts"], swiftSettings: rules),
        .target(
            name: "PostgresStorage",
            dependencies: [
                "Cryptography", "Identifiers", "Ledger", "PostgresClient", "SQL", "SQLStorage", "StoragePorts",
            ],
            swiftSettings: rules
        ),
        .target(
            name: "SQLiteStorage",
            dependencies: [
                "Cryptography", "Identifiers", "SQL", "SQLStorage", "SQLiteFiles", "StoragePorts",
                .product(name: "GRDB", package: "GRDB.swift"),
            ],
            swiftSettings: rules
        ),
        .target(
            name: "HTTPConnections",
            dependencies: [
                "ASCII", "Counting",
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
            ],
            swiftSettings: rules
        ),
        .target(
            name: "Redirect",
            dependencies: [
                "ASCII", "Consent", "Counting", "Formats", "HTTPConnections", "Identifiers", "Interactions", "Messages",
                "Organizations", "Pages", "StoragePorts", "TrackingIDs", "Waiting",
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
            ],
            swiftSettings: rules
        ),
        .target(
            name: "UseCases",
            dependencies: [
                "Consent", "Counting", "Cryptography", "Formats", "Identifiers", "Interactions", "JSON", "Ledger",
                "Messages", "Organizations", "Redirect", "Reports", "StoragePorts", "TrackingIDs", "Waiting",
                "Webhooks",
                .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: rules
        ),
        .target(
            name: "HTTPAPI",
            dependencies: [
                "ASCII", "Consent", "Counting", "Cryptography", "Formats", "HTTPConnections", "Identifiers",
                "Interactions", "JSON", "Ledger", "Messages", "Organizations", "Pages", "Redirect", "Reports",
                "StoragePorts", "TrackingIDs", "UseCases", "Waiting", "Webhooks",
                .product(name: "CoreMetrics", package: "swift-metrics"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "HummingbirdCore", package: "hummingbird"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
            ],
            swiftSettings: rules
        ),
        .target(
            name: "OpenIDConnect",
            dependencies: [
                "ASCII", "Cryptography", "JSON",
                .product(name: "AsyncHTTPClient", package: "async-http-client"),
                .product(name: "JWTKit", package: "jwt-kit"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
            ],
            swiftSettings: rules
        ),
        .target(
            name: "Console",
            dependencies: [
                "ASCII", "Consent", "Counting", "Cryptography", "HTTPAPI", "Identifiers", "Interactions", "JSON",
                "Ledger", "Messages", "OpenIDConnect", "Organizations", "Pages", "Redirect", "Reports", "StoragePorts",
                "TrackingIDs", "UseCases", "Waiting", "Webhooks",
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "Mustache", package: "swift-mustache"),
                .product(name: "NIOCore", package: "swift-nio"),
            ],
            resources: [.embedInCode("Assets"), .embedInCode("Templates")],
            swiftSettings: rules
        ),
        .target(
            name: "Service",
            dependencies: [
                "CMalloc", "CProcess", "Consent", "Console", "Counting", "Cryptography", "HTTPAPI", "HTTPConnections",
                "Identifiers", "Interactions", "JSON", "Ledger", "LocalFiles", "Messages", "OpenIDConnect",
                "Organizations", "PostgresClient", "PostgresStorage", "Redirect", "SQL", "SQLStorage", "SQLiteFiles",
                "SQLiteMirror", "SQLiteSpool", "SQLiteStorage", "StoragePorts", "TrackingIDs", "UseCases", "Waiting",
                "Webhooks",
                .product(name: "AsyncHTTPClient", package: "async-http-client"),
                .product(name: "Configuration", package: "swift-configuration"),
                .product(name: "CoreMetrics", package: "swift-metrics"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "HummingbirdCore", package: "hummingbird"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOHTTPTypes", package: "swift-nio-extras"),
                .product(name: "NIOHTTPTypesHTTP1", package: "swift-nio-extras"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "SystemPackage", package: "swift-system"),
                .product(name: "Yams", package: "Yams"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
                .product(name: "UnixSignals", package: "swift-service-lifecycle"),
            ],
            swiftSettings: rules
        ),
        .target(
            name: "ConsentLinkClient",
            dependencies: [
                "ASCII", "JSON",
                .product(name: "AsyncHTTPClient", package: "async-http-client"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
            ],
            swiftSettings: rules
        ),
        .target(
            name: "Relay",
            dependencies: [
                "ASCII", "ConsentLinkClient", "Cryptography", "Identifiers", "JSON", "LocalFiles", "Webhooks",
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
                .product(name: "NIOTLS", package: "swift-nio"),
                .product(name: "SystemPackage", package: "swift-system"),
            ],
            swiftSettings: rules
        ),
        .executableTarget(
            name: "consentlink",
            dependencies: [
                "ASCII", "Consent", "ConsentLinkClient", "Cryptography", "Identifiers", "JSON", "Ledger", "LocalFiles",
                "Organizations", "Relay", "Service", "StoragePorts",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "AsyncHTTPClient", package: "async-http-client"),
                .product(name: "SystemPackage", package: "swift-system"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
            ],
            swiftSettings: rules,
            linkerSettings: program
        ),
        // How docs/integrating.md composes a campaign.
        .executableTarget(
            name: "ComposeCampaign", dependencies: ["ConsentLinkClient"],
            path: "docs/examples/swift",
            swiftSettings: rules,
            linkerSettings: program
        ),
        .target(
            name: "TestSupport",
            dependencies: ["Identifiers", "Interactions", .product(name: "Logging", package: "swift-log")],
            path: "Tests/TestSupport",
            swiftSettings: rules
        ),
        .target(
            name: "SocketPairs",
            dependencies: [
                "TestSupport", .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
            ],
            path: "Tests/SocketPairs",
            swiftSettings: rules
        ),
        .target(
            name: "LedgerSamples", dependencies: ["Consent", "Cryptography", "Identifiers", "Ledger", "TestSupport"],
            path: "Tests/LedgerSamples",
            swiftSettings: rules
        ),
        .testTarget(name: "ASCIITests", dependencies: ["ASCII"], swiftSettings: rules),
        .testTarget(
            name: "CryptographyTests", dependencies: ["Cryptography"],
            swiftSettings: rules
        ),
        .testTarget(
            name: "JSONTests", dependencies: ["JSON", "TestSupport"],
            swiftSettings: rules
        ),
        .testTarget(
            name: "IdentifiersTests", dependencies: ["Identifiers", "TestSupport"],
            resources: [.copy("Vectors")],
            swiftSettings: rules
        ),
        .testTarget(
            name: "CountingTests", dependencies: ["Counting"],
            swiftSettings: rules
        ),
        .testTarget(name: "WaitingTests", dependencies: ["Waiting"], swiftSettings: rules),
        .testTarget(name: "PagesTests", dependencies: ["Pages"], swiftSettings: rules),
        .testTarget(
            name: "ConsentTests", dependencies: ["Consent", "Identifiers", "TestSupport"],
            swiftSettings: rules
        ),
        .testTarget(
            name: "LedgerTests",
            dependencies: ["Consent", "Cryptography", "Identifiers", "JSON", "Ledger", "LedgerSamples", "TestSupport"],
            resources: [.copy("Vectors")],
            swiftSettings: rules
        ),
        .testTarget(
            name: "TrackingIDsTests", dependencies: ["Cryptography", "Identifiers", "TrackingIDs", "TestSupport"],
            resources: [.copy("RequestLinkVectors"), .copy("Vectors")],
            swiftSettings: rules
        ),
        .testTarget(
            name: "MessagesTests", dependencies: ["Identifiers", "JSON", "Messages", "TestSupport"],
            resources: [.copy("Golden")],
            swiftSettings: rules
        ),
        .testTarget(
            name: "InteractionsTests", dependencies: ["Identifiers", "Interactions", "TestSupport"],
            swiftSettings: rules
        ),
        .testTarget(
            name: "StoragePortsTests",
            dependencies: ["Consent", "Identifiers", "Messages", "StoragePorts", "TestSupport"],
            swiftSettings: rules
        ),
        .testTarget(
            name: "OrganizationsTests",
            dependencies: ["Consent", "Identifiers", "Messages", "Organizations", "TestSupport"],
            swiftSettings: rules
        ),
        .testTarget(
            name: "ReportsTests",
            dependencies: ["Consent", "Identifiers", "Interactions", "Messages", "Reports", "TestSupport"],
            swiftSettings: rules
        ),
        .testTarget(
            name: "OpenIDConnectTests",
            dependencies: [
                "Cryptography", "JSON", "OpenIDConnect", "StubService",
                .product(name: "AsyncHTTPClient", package: "async-http-client"),
                .product(name: "JWTKit", package: "jwt-kit"),
            ],
            swiftSettings: rules
        ),
        .testTarget(
            name: "ConsoleTests",
            dependencies: [
                "Consent", "Console", "Cryptography", "HTTPAPI", "Identifiers", "Ledger", "Organizations", "Pages",
                "StoragePorts", "TestSupport", "UseCases", .product(name: "HTTPTypes", package: "swift-http-types"),
            ],
            swiftSettings: rules
        ),
        .testTarget(
            name: "WebhooksTests",
            dependencies: [
                "Consent", "Cryptography", "Identifiers", "Interactions", "JSON", "Messages", "TestSupport", "Webhooks",
            ],
            resources: [.copy("Vectors")],
            swiftSettings: rules
        ),
        .testTarget(
            name: "FormatsTests",
            dependencies: [
                "Consent", "Cryptography", "Formats", "Identifiers", "Interactions", "JSON", "Messages", "TrackingIDs",
                "TestSupport",
            ],
            resources: [.copy("Golden")],
            swiftSettings: rules
        ),
        .testTarget(
            name: "LocalFilesTests",
            dependencies: [
                "LocalFiles", "TestSupport", .product(name: "SystemPackage", package: "swift-system"),
            ],
            swiftSettings: rules
        ),
        .testTarget(
            name: "HTTPConnectionsTests",
            dependencies: [
                "Counting", "HTTPConnections", "SocketPairs", "TestSupport",
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOEmbedded", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
            ],
            swiftSettings: rules
        ),
        .testTarget(
            name: "RedirectTests",
            dependencies: [
                "Consent", "Counting", "Cryptography", "Formats", "HTTPConnections", "Identifiers", "Interactions",
                "Messages", "Organizations", "Pages", "Redirect", "SocketPairs", "StoragePorts", "TestSupport",
                "TrackingIDs",
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOEmbedded", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
            ],
            swiftSettings: rules
        ),
        .target(
            name: "StorageContracts",
            dependencies: [
                "Consent", "Cryptography", "Identifiers", "Interactions", "Ledger", "Messages", "Organizations",
                "Reports", "SQL", "SQLStorage", "StoragePorts", "TestSupport", "Webhooks",
            ],
            path: "Tests/StorageContracts",
            swiftSettings: rules
        ),
        .testTarget(
            name: "SQLiteFilesTests",
            dependencies: [
                "Identifiers", "SQL", "SQLiteFiles", "StoragePorts", "TestSupport",
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "GRDBSQLite", package: "GRDB.swift"),
            ],
            swiftSettings: rules
        ),
        .testTarget(
            name: "SQLiteSpoolTests",
            dependencies: [
                "Identifiers", "Interactions", "SQL", "SQLiteFiles", "SQLiteSpool",
                "StorageContracts",
                "StoragePorts", "TestSupport",
                .product(name: "GRDB", package: "GRDB.swift"),
            ],
            swiftSettings: rules
        ),
        .testTarget(
            name: "SQLiteMirrorTests",
            dependencies: [
                "Consent", "Cryptography", "Identifiers", "Messages", "SQLiteMirror", "StoragePorts", "TestSupport",
                .product(name: "GRDB", package: "GRDB.swift"),
            ],
            swiftSettings: rules
        ),
        .testTarget(
            name: "SQLiteStorageTests",
            dependencies: [
                "Consent", "Cryptography", "Identifiers", "Interactions", "Ledger", "Messages", "Organizations",
                "Reports", "SQL", "SQLStorage", "SQLiteFiles", "SQLiteStorage", "StorageContracts", "StoragePorts",
                "TestSupport",
                .product(name: "GRDB", package: "GRDB.swift"),
            ],
            swiftSettings: rules
        ),
        .target(
            name: "PostgresServer", dependencies: ["PostgresClient"],
            path: "Tests/PostgresServer",
            swiftSettings: rules
        ),
        .testTarget(name: "SQLTests", dependencies: ["SQL", "StoragePorts"], swiftSettings: rules),
        .testTarget(
            name: "SQLStorageTests",
            dependencies: [
                "Consent", "Cryptography", "Identifiers", "Interactions", "Messages", "SQL",
                "SQLStorage", "StorageContracts", "StoragePorts", "TestSupport",
            ],
            swiftSettings: rules
        ),
        .testTarget(
            name: "PostgresClientTests", dependencies: ["PostgresClient", "PostgresServer", "SQL"],
            swiftSettings: rules
        ),
        .testTarget(
            name: "PostgresStorageTests",
            dependencies: [
                "Consent", "Cryptography", "Identifiers", "Interactions", "Ledger", "Organizations", "PostgresClient",
                "PostgresServer", "PostgresStorage", "Reports", "SQL", "SQLStorage", "StorageContracts", "StoragePorts",
                "TestSupport", "Webhooks",
            ],
            swiftSettings: rules
        ),
        .testTarget(
            name: "UseCasesTests",
            dependencies: [
                "Consent", "Cryptography", "Formats", "Identifiers", "Interactions", "JSON", "Ledger", "Messages",
                "Organizations", "Redirect", "StoragePorts", "TestSupport", "TrackingIDs", "UseCases",
            ],
            swiftSettings: rules
        ),
        .testTarget(
            name: "HTTPAPITests",
            dependencies: [
                "Consent", "Counting", "Cryptography", "Formats", "HTTPAPI", "Identifiers", "Interactions", "JSON",
                "Ledger", "Messages", "Organizations", "Pages", "Redirect", "SQL", "SQLStorage", "SQLiteFiles",
                "SQLiteSpool", "SQLiteStorage", "TestSupport",
                "TrackingIDs",
                "UseCases", "Webhooks",
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "HummingbirdCore", package: "hummingbird"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOEmbedded", package: "swift-nio"),
                .product(name: "NIOHTTPTypes", package: "swift-nio-extras"),
                .product(name: "NIOPosix", package: "swift-nio"),
            ],
            swiftSettings: rules
        ),
        .testTarget(
            name: "ServiceTests",
            dependencies: [
                "Consent", "Counting", "Cryptography", "HTTPConnections", "Identifiers", "Interactions", "Ledger",
                "LocalFiles", "Messages", "Organizations", "PostgresClient", "PostgresServer", "PostgresStorage",
                "Redirect", "SQL", "SQLStorage", "SQLiteFiles", "SQLiteSpool", "SQLiteStorage", "Service",
                "StorageContracts", "StoragePorts", "TestSupport", "TrackingIDs", "UseCases", "Waiting",
                .product(name: "CoreMetrics", package: "swift-metrics"),
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOEmbedded", package: "swift-nio"),
                .product(name: "SystemPackage", package: "swift-system"),
            ],
            swiftSettings: rules
        ),
        .target(
            name: "StubService",
            dependencies: [
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
            ],
            path: "Tests/StubService",
            swiftSettings: rules
        ),
        .testTarget(
            name: "ConsentLinkClientTests",
            dependencies: [
                "ConsentLinkClient", "Identifiers", "JSON", "StubService", "TestSupport",
                .product(name: "AsyncHTTPClient", package: "async-http-client"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "Yams", package: "Yams"),
            ],
            swiftSettings: rules
        ),
        .testTarget(
            name: "RelayTests",
            dependencies: [
                "ConsentLinkClient", "JSON", "LocalFiles", "Relay", "StubService", "TestSupport", "Webhooks",
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
                .product(name: "SystemPackage", package: "swift-system"),
            ],
            swiftSettings: rules
        ),
        .testTarget(
            name: "consentlinkTests",
            dependencies: [
                "Consent", "ConsentLinkClient", "Cryptography", "Identifiers", "JSON", "Ledger", "LedgerSamples",
                "Organizations", "PostgresClient", "PostgresServer", "Service", "StubService", "TestSupport",
                "consentlink",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "AsyncHTTPClient", package: "async-http-client"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
            ],
            swiftSettings: rules
        ),
        .testTarget(
            name: "ArchitectureTests", dependencies: [],
            swiftSettings: rules
        ),
    ] + fuzzing
)
