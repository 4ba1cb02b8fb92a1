import NIOCore

/// The whole lines of an export as they arrive, several at once.
///
/// If the key was deleted meanwhile, throws ``ConsentLinkError/refused(_:)`` in place of the answer's last line. Throws
/// ``ConsentLinkError/brokenOff(reason:)`` if the last line has no end. The lines before are returned first.
package struct ExportedLineBatches: AsyncSequence, Sendable {
    package typealias Element = LineBatch

    let bytes: ExportedBytes

    package init(bytes: ExportedBytes) { self.bytes = bytes }

    package func makeAsyncIterator() -> Iterator { Iterator(bytes: bytes.makeAsyncIterator()) }

    package struct Iterator: AsyncIteratorProtocol {
        private var bytes: ExportedBytes.Iterator
        private var splitter = LineSplitter()
        /// The refusal at the end of the answer.
        private var problem: Problem?

        init(bytes: ExportedBytes.Iterator) { self.bytes = bytes }

        package mutating func next() async throws -> LineBatch? {
            while true {
                if let problem { throw ConsentLinkError.refused(problem) }
                guard let piece = try await bytes.next() else {
                    guard splitter.restCount == 0 else {
                        throw ConsentLinkError.brokenOff(reason: "the last line has no end")
                    }
                    return nil
                }
                let lines = try answers(in: piece)
                if !lines.isEmpty { return lines }
            }
        }

        private mutating func answers(in piece: ByteBuffer) throws -> LineBatch {
            let lines: LineBatch
            do {
                lines = try piece.withUnsafeReadableBytes { try splitter.read($0) }
            } catch {
                throw ConsentLinkError.unexpectedAnswer("a line does not end")
            }
            for index in 0..<lines.count {
                guard let problem = AnsweredLine.refusal(lines.line(at: index)) else { continue }
                self.problem = problem
                return lines[0..<index]
            }
            return lines
        }
    }
}
