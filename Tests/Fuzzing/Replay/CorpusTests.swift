import Foundation
import Testing

/// What the fuzzer begins with and what it found holds in every run of the tests, too.
@Suite struct CorpusTests {
    /// A target, and the inputs of its corpus by the names of their files.
    struct Corpus: Sendable, CustomTestStringConvertible {
        let target: any FuzzTarget.Type

        var testDescription: String { target.name }

        func inputs() throws -> [(name: String, bytes: [UInt8])] {
            let folder = try #require(Bundle.module.resourceURL).appending(path: "Corpora/\(target.name)")
            return try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil).map {
                ($0.lastPathComponent, Array(try Data(contentsOf: $0)))
            }
        }

        static var all: [Corpus] { FuzzTargets.all.map { Corpus(target: $0) } }
    }

    @Test("what must hold does for every input of the corpus", arguments: Corpus.all)
    func holds(_ corpus: Corpus) throws {
        let target = try corpus.target.init()
        var taken = 0
        let inputs = try corpus.inputs()
        for (name, bytes) in inputs {
            do {
                if try target.hold(bytes) { taken += 1 }
            } catch {
                Issue.record("\(name): \(error)")
            }
        }
        #expect(taken > 0 && taken < inputs.count, "both what is taken and what is not is looked at")
    }

    @Test("inputs are short, and there are not too many of them", arguments: Corpus.all)
    func sizes(_ corpus: Corpus) throws {
        let inputs = try corpus.inputs()
        #expect(inputs.count <= 90)
        #expect(inputs.filter { $0.bytes.count > 4096 }.map(\.name) == [])
    }

    @Test("every corpus is that of a target")
    func folders() throws {
        let folder = try #require(Bundle.module.resourceURL).appending(path: "Corpora")
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        #expect(names.sorted() == FuzzTargets.all.map { $0.name }.sorted())
    }
}
