/// Which folders of one target use types of which others. A folder stands directly below its target, with all that is
/// in it; files beside the folders belong to the folder `.`.
///
/// Types are found by their names: a use of a type only through members of another type is not seen.
struct FolderDependencies {
    /// One folder uses a type of another.
    struct Arrow: Equatable, CustomStringConvertible {
        let from: String
        let to: String
        /// File and line of the first use.
        let place: String
        let name: String

        var description: String { "\(from) → \(to) (\(name), \(place))" }
    }

    /// By folder, the first use of each folder that it uses, in order of name.
    private let arrows: [String: [Arrow]]

    init(of files: [SourceFile]) {
        let read = files.filter { $0.path.hasSuffix(".swift") }.map { (file: $0, types: TypeNames(in: $0)) }
        var homes: [String: String] = [:]
        for (file, types) in read {
            for name in types.shared { homes[name] = file.topFolder }
        }
        var arrows: [String: [String: Arrow]] = [:]
        for (file, types) in read {
            for (name, line) in types.used {
                guard let home = homes[name], home != file.topFolder, !types.own.contains(name) else { continue }
                let arrow = Arrow(from: file.topFolder, to: home, place: file.place(line), name: name)
                if arrows[file.topFolder]?[home] == nil { arrows[file.topFolder, default: [:]][home] = arrow }
            }
        }
        self.arrows = arrows.mapValues { $0.values.sorted { $0.to < $1.to } }
    }

    /// The arrows of a shortest cycle, in their order; empty where there is none.
    var shortestCycle: [Arrow] {
        arrows.keys.sorted().compactMap(shortestCycle(through:)).min { $0.count < $1.count } ?? []
    }

    /// Breadth first, so the first way back is a shortest one.
    private func shortestCycle(through start: String) -> [Arrow]? {
        var ways = (arrows[start] ?? []).map { [$0] }
        var seen: Set<String> = []
        var next = 0
        while next < ways.count {
            let way = ways[next]
            next += 1
            guard let end = way.last?.to else { continue }
            if end == start { return way }
            guard seen.insert(end).inserted else { continue }
            ways += (arrows[end] ?? []).map { way + [$0] }
        }
        return nil
    }
}

extension SourceFile {
    fileprivate var topFolder: String { folders.first ?? "." }
}

/// The type names that a file declares and uses.
private struct TypeNames {
    /// Declared at the top of the file, for the whole target.
    private(set) var shared: Set<String> = []
    /// Declared in the file at any depth, or for the file alone: here they mean nothing else.
    private(set) var own: Set<String> = []
    private(set) var used: [(name: String, line: Int)] = []

    private static let declaring: Set<String> = [
        "struct", "class", "enum", "protocol", "actor", "typealias", "associatedtype",
    ]
    private static let limiting: Set<String> = ["private", "fileprivate"]
    private static let modifiers = limiting.union(["final", "indirect", "nonisolated", "package", "public", "internal"])

    init(in file: SourceFile) {
        let tokens = SwiftTokens.of(file.text)
        var depth = 0
        for (index, token) in tokens.enumerated() {
            switch token.text {
            case "{", "(": depth += 1
            case "}", ")": depth -= 1
            default:
                guard token.text.first?.isUppercase == true, !token.isMember else { continue }
                guard index > 0, Self.declaring.contains(tokens[index - 1].text) else {
                    used.append((token.text, token.line))
                    continue
                }
                let modifiers = tokens[..<(index - 1)].reversed().prefix { Self.modifiers.contains($0.text) }
                let isLimited = modifiers.contains { Self.limiting.contains($0.text) }
                if depth == 0 && !isLimited { shared.insert(token.text) } else { own.insert(token.text) }
            }
        }
    }
}
