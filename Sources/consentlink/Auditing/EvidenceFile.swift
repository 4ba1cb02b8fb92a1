import ArgumentParser
import Foundation
import Glibc
import LocalFiles
import SystemPackage

/// A file to verify, read piece by piece.
struct EvidenceFile {
    private static let bytesAtOnce = 1 << 20

    private let handle: FileHandle
    private let name: String

    /// - Parameter path: `-` is standard input.
    init(path: String) throws(CommandFailure) {
        name = path
        guard path != "-" else {
            handle = .standardInput
            return
        }
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw Self.failure(path, .last) }
        handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    }

    /// The next bytes; empty at the end.
    func next() throws(CommandFailure) -> [UInt8] {
        do throws(Errno) {
            return try FileContent.read(handle.fileDescriptor, atMost: Self.bytesAtOnce)
        } catch {
            throw Self.failure(name, error)
        }
    }

    /// The content of a file that should be small.
    static func all(of path: String, upTo limit: Int) throws(CommandFailure) -> [UInt8] {
        let file = try EvidenceFile(path: path)
        var bytes: [UInt8] = []
        while true {
            let piece = try file.next()
            guard !piece.isEmpty else { return bytes }
            bytes += piece
            guard bytes.count <= limit else {
                throw CommandFailure(
                    "consentlink: \(path.shown) is too long: it has more than \(limit) bytes",
                    exitCode: ExitStatus.usage)
            }
        }
    }

    /// A checkpoint or a proof, which must end with one newline: corrects one that a shell removed or a filter added.
    static func note(in path: String, upTo limit: Int) throws(CommandFailure) -> [UInt8] {
        endingInOneNewline(try all(of: path, upTo: limit))
    }

    private static let white = Array(" \n\r\t".utf8)

    /// Whether a JSON object begins here.
    static func isDocument(_ bytes: [UInt8]) -> Bool { bytes.first { !white.contains($0) } == UInt8(ascii: "{") }

    static func endingInOneNewline(_ note: [UInt8]) -> [UInt8] {
        let newline = UInt8(ascii: "\n")
        guard note.last == newline else { return note + [newline] }
        return note.suffix(2) == [newline, newline] ? note.dropLast() : note
    }

    private static func failure(_ name: String, _ error: Errno) -> CommandFailure {
        let reason = error == .isDirectory ? "it is a folder" : "\(error)"
        return CommandFailure("consentlink: cannot read \(name.shown): \(reason)", exitCode: ExitStatus.usage)
    }
}
