import ArgumentParser
import LocalFiles

/// The files of an import: the input, and the files that are written beside it.
struct ImportFiles {
    /// `-` is standard input.
    let input: String
    let errors: String
    let journal: ImportJournal

    /// Refuses two files at one place: writing one of them would destroy the other.
    func requireDistinct() throws(CommandFailure) {
        var files: [(name: String, path: String)] = [
            ("--errors", errors), ("--journal", journal.path), ("the lock of --journal", journal.lockPath),
            ("the copy of --journal that is written", AtomicFile.unfinished(journal.path)),
        ]
        if input != "-" { files.append(("the file that is imported", input)) }
        let places = files.map { ResolvedPath($0.path) }
        for (index, file) in files.enumerated() {
            for other in files.indices where other > index && places[other] == places[index] {
                throw CommandFailure(
                    "consentlink: \(file.name) and \(files[other].name) are one file, \(file.path.shown); name another one",
                    exitCode: ExitStatus.usage)
            }
        }
    }
}
