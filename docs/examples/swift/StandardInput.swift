import Foundation
import Synchronization

/// The lines of standard input, which are read as they are sent. It ends before a line that is not UTF-8: repaired, that
/// would be another recipient.
final class StandardInput: Sequence, Sendable {
    /// Why it ended before its end.
    private let error = Mutex<StreamError?>(nil)

    /// - Throws: why lines are missing, where it ended before its end.
    func requireWhole() throws {
        if let error = error.withLock({ $0 }) { throw error }
    }

    func makeIterator() -> Iterator { Iterator(input: self) }

    struct Iterator: IteratorProtocol {
        private static let readAtOnce = 1 << 16

        let input: StandardInput
        private var bytes: [UInt8] = []
        /// Where in `bytes` the next line begins.
        private var position = 0
        private var isAtEnd = false
        private var number = 0

        init(input: StandardInput) { self.input = input }

        mutating func next() -> String? {
            do throws(StreamError) {
                guard let line = try nextLine() else { return nil }
                number += 1
                guard let text = String(validating: line, as: UTF8.self) else {
                    throw StreamError("line \(number) of standard input is not UTF-8; it ends there")
                }
                return text
            } catch {
                input.error.withLock { $0 = error }
                return nil
            }
        }

        /// A line without its end, which is a line feed or CR LF.
        private mutating func nextLine() throws(StreamError) -> ArraySlice<UInt8>? {
            var end = bytes[position...].firstIndex(of: UInt8(ascii: "\n"))
            while end == nil, !isAtEnd {
                let searched = bytes.count - position
                try readMore()
                end = bytes[searched...].firstIndex(of: UInt8(ascii: "\n"))
            }
            guard end != nil || position < bytes.count else { return nil }
            var line = bytes[position..<(end ?? bytes.count)]
            if end != nil, line.last == UInt8(ascii: "\r") { line.removeLast() }
            position = end.map { $0 + 1 } ?? bytes.count
            return line
        }

        private mutating func readMore() throws(StreamError) {
            bytes.removeFirst(position)
            position = 0
            let held = bytes.count
            bytes.append(contentsOf: repeatElement(0, count: Self.readAtOnce))
            var count = -1
            repeat {
                count = bytes[held...].withUnsafeMutableBytes { read(STDIN_FILENO, $0.baseAddress, $0.count) }
            } while count < 0 && errno == EINTR
            bytes.removeLast(Self.readAtOnce - Swift.max(count, 0))
            guard count >= 0 else { throw StreamError(lastOf: "standard input") }
            isAtEnd = count == 0
        }
    }
}
