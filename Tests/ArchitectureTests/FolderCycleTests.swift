import Testing

@Suite struct FolderCycleTests {
    private func dependencies(_ files: [(path: String, text: String)]) -> FolderDependencies {
        FolderDependencies(of: files.map { SourceFile(path: "Sources/Target/\($0.path)", text: $0.text) })
    }

    @Test("no cycle between the folders of a target", arguments: ArchitectureRules.targets.map(\.name))
    func sources(_ target: String) throws {
        let files = try Repository.sources().filter { $0.target == target }
        let cycle = FolderDependencies(of: files).shortestCycle
        #expect(cycle.isEmpty, "\(target): \(cycle.map(\.description).joined(separator: ", "))")
    }

    @Test("a cycle of two folders is found, with the file, the line and the name of each arrow")
    func two() {
        let cycle = dependencies([
            ("A/Pen.swift", "struct Pen {\n    let ink: Ink\n}"), ("B/Ink.swift", "struct Ink {}\nfunc f(_: Pen) {}"),
        ]).shortestCycle
        #expect(
            cycle.map(\.description) == [
                "A → B (Ink, Sources/Target/A/Pen.swift:2)", "B → A (Pen, Sources/Target/B/Ink.swift:2)",
            ])
    }

    @Test("the shortest of several cycles is named")
    func shortest() {
        let cycle = dependencies([
            ("A/A.swift", "struct A { let b: B }"), ("B/B.swift", "struct B { let c: C }"),
            ("C/C.swift", "struct C { let a: A; let d: D }"), ("D/D.swift", "struct D { let c: C }"),
        ]).shortestCycle
        #expect(cycle.map(\.from) == ["C", "D"])
    }

    @Test("files beside the folders are one folder, deeper folders belong to the one directly below the target")
    func levels() {
        let cycle = dependencies([("X.swift", "enum X { case y(Y) }"), ("A/B/Y.swift", "enum Y { case x(X) }")])
            .shortestCycle
        #expect(cycle.map(\.from) == [".", "A"])
        #expect(
            dependencies([("A/B/X.swift", "enum X { case y(Y) }"), ("A/C/Y.swift", "enum Y { case x(X) }")])
                .shortestCycle.isEmpty)
    }

    @Test(
        "a type is used wherever its name stands in code",
        arguments: [
            "let a: Ink", "let a = Ink()", "extension Ink {}", "func f(_: [Ink?]) {}", "let a = \"\\(Ink.name)\"",
            "let a = \"\"\"\n    \\(f(\"x\", (Ink.self)))\n    \"\"\"", "let a = #\"\\#(Ink.name)\"#",
            "/* a /* b */ */ let a: Ink", "let a = \"//\", b: Ink", "let a = \"\\\"\", b: Ink",
            "#if os(Linux)\nlet a: Ink\n#endif",
            "struct Pen: Ink {}", "let a = b as? Ink", "typealias Colour = Ink",
        ])
    func uses(_ code: String) {
        let files = [("B/Ink.swift", "struct Ink { let a: A }"), ("A/A.swift", "struct A {}\n" + code)]
        #expect(dependencies(files).shortestCycle.count == 2, "\(code)")
    }

    @Test(
        "what is no use is none",
        arguments: [
            "// Ink", "/* Ink */", "/* /* */ Ink */", "let a = \"Ink\"", "let a = \"\"\"\n    Ink \"Ink\"\n    \"\"\"",
            "let a = #\"\\(Ink)\"#", "let a = Box.Ink()", "let inkInk = 1", "struct Box { struct Ink {} }\nlet a: Ink",
            "private struct Ink {}\nlet a: Ink", "let a = \"\\\\\" // Ink", "func f<Value>() where Value: Inky {}",
        ])
    func noUses(_ code: String) {
        let files = [("B/Ink.swift", "struct Ink { let a: A }"), ("A/A.swift", "struct A {}\n" + code)]
        #expect(dependencies(files).shortestCycle.isEmpty, "\(code)")
    }

    @Test("what is private before a type does not make the type so")
    func privateNeighbours() {
        let files = [
            ("B/B.swift", "private let b = c\nstruct B { let a: A }"), ("A/A.swift", "struct A { let b: B }"),
        ]
        #expect(dependencies(files).shortestCycle.count == 2)
    }

    @Test("a type that is declared for its file alone is not used by other files")
    func privateTypes() {
        for limit in ["private", "fileprivate", "private final", "fileprivate indirect"] {
            let files = [
                ("B/B.swift", "\(limit) enum State {}\nstruct B { let a: A }"),
                ("A/A.swift", "struct A { let b: State }"),
            ]
            #expect(dependencies(files).shortestCycle.isEmpty, "\(limit)")
        }
    }
}
