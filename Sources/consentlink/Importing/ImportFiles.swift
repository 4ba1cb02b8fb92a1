import ArgumentParser
import LocalFiles
import SystemPackage

/// The files of an import: the input, and the files that are written beside it.
struct ImportFiles {
    /// `-` is standard input.
    let input: String
    let errors: String
    let journal: ImportJournal

    /// Refuses what is not a file in the place of one that is written: the open of a pipe would wait for its other end,
    /// and a device keeps nothing.
    func requireRegular() throws(CommandFailure) {
        for (name, path) in [("--errors", errors), ("--journal", journal.path)] {
            guard let type = FileStatus(following: path)?.type, type != .regular else { continue }
            let what =
                switch type {
                case .directory: "a folder"
                case .fifo: "a pipe"
                default: "a device"
                }
            throw CommandFailure(
                "consentlink: \(name) must be a file, and \(path.shown) is \(what)", exitCode: ExitStatus.usage)
        }
    }

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
