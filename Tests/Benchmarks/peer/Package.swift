// swift-tools-version: 6.2

import PackageDescription

/// The simplest honest peer of ConsentLink's redirect, for `Tests/Benchmarks/redirect --peer`. It is no part of the
/// product. SwiftNIO has the version of the product's `Package.swift`.
let package = Package(
    name: "peer",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(url: "https://github.com/apple/swift-nio", exact: "2.101.2")
    ],
    targets: [
        .executableTarget(
            name: "peer",
            dependencies: [
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
            ],
            swiftSettings: [
                .swiftLanguageMode(.v6),
                .enableUpcomingFeature("ExistentialAny"),
                .enableUpcomingFeature("MemberImportVisibility"),
                .enableUpcomingFeature("InternalImportsByDefault"),
                .treatAllWarnings(as: .error),
            ]
        )
    ]
)
