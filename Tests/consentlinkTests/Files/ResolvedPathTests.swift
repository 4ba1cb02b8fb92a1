import Foundation
import TestSupport
import Testing

@testable import consentlink

@Suite struct ResolvedPathTests {
    private func with(_ body: (TemporaryFolder) throws -> Void) throws {
        try TemporaryFolder.with { folder in
            let files = FileManager.default
            try folder.write("x", to: "there")
            try files.createDirectory(atPath: folder.path(of: "sub"), withIntermediateDirectories: false)
            for (link, target) in [
                ("toThere", "there"), ("toMissing", "missing"), ("toSub", "sub"), ("sub/up", "../missing"),
                ("toLink", "toMissing"), ("round", "round"),
            ] { try files.createSymbolicLink(atPath: folder.path(of: link), withDestinationPath: target) }
            try files.linkItem(atPath: folder.path(of: "there"), toPath: folder.path(of: "hard"))
            try body(folder)
        }
    }

    @Test(
        "paths to one file are equal, whether it is there or not",
        arguments: [
            ("there", "./there"), ("there", "sub/../there"), ("there", "toThere"), ("there", "hard"),
            ("missing", "./missing"), ("missing", "toSub/../missing"), ("missing", "toMissing"), ("missing", "toLink"),
            ("missing", "sub/up"), ("missing", "toSub/up"), ("sub/x", "toSub/x"), ("round", "./round"),
        ])
    func same(_ one: String, _ other: String) throws {
        try with { folder in #expect(ResolvedPath(folder.path(of: one)) == ResolvedPath(folder.path(of: other))) }
    }

    @Test(
        "paths to others are not",
        arguments: [("there", "missing"), ("missing", "other"), ("sub/x", "x"), ("round", "there"), ("no/x", "x")])
    func other(_ one: String, _ other: String) throws {
        try with { folder in #expect(!(ResolvedPath(folder.path(of: one)) == ResolvedPath(folder.path(of: other)))) }
    }
}
