import ArgumentParser
import Foundation
import Glibc
import LocalFiles
import SystemPackage

/// Standard output or standard error, without a buffer: the kernel has every written byte.
enum StandardStream: CInt {
    case output = 1
    case error = 2

    /// Why nothing more can be written.
    struct Fault: Error, CustomStringConvertible {
        let stream: StandardStream
        let error: Errno

        /// Whether the reading program has closed it, which is no fault if it has read enough.
        var isReaderGone: Bool { error == .brokenPipe }

        var description: String {
            let name = stream == .output ? "standard output" : "standard error"
            return "\(name) takes no more: \(isReaderGone ? "its reader has gone" : "\(error)")"
        }
    }

    /// Makes the three standard descriptors safe. Must be called before any file is opened.
    ///
    /// The next file or connection would get the number of a closed one, and text for people would be written there. So
    /// it becomes `/dev/null`, opened for the wrong direction: reads and writes fail, as on a closed one.
    static func prepare() {
        // A write fails instead of ending the process, so that a service continues without its reader.
        signal(SIGPIPE, SIG_IGN)
        // A write beyond the greatest size of a file fails, too, with an error that says so.
        signal(SIGXFSZ, SIG_IGN)
        for (descriptor, mode) in [(STDIN_FILENO, O_WRONLY), (STDOUT_FILENO, O_RDONLY), (STDERR_FILENO, O_WRONLY)] {
            // The system gives the lowest free number: this one, because the lower ones are open by now.
            if fcntl(descriptor, F_GETFD) == -1 { _ = open("/dev/null", mode) }
        }
    }

    /// Writes all of `bytes`; waits for a slow reader.
    func write(_ bytes: [UInt8]) throws(Fault) {
        do throws(Errno) {
            try FileDescriptor(rawValue: rawValue).writeWhole(bytes)
        } catch { throw Fault(stream: self, error: error) }
    }

    /// Writes text that may be lost, such as progress. Errors are ignored.
    func tell(_ text: String) { try? write(Array(text.utf8)) }

    /// The same, but the caller does not wait for a slow reader: a listener would answer no client meanwhile. Then the
    /// text is written when the reader has read, unless the process ends before.
    /// - Parameter text: at most 4,096 bytes (`PIPE_BUF`), which a pipe takes whole if it takes any.
    func tellWithoutWaiting(_ text: String) {
        var polled = pollfd(fd: rawValue, events: Int16(POLLOUT), revents: 0)
        guard poll(&polled, 1, 0) == 0 else { return tell(text) }
        Thread.detachNewThread { self.tell(text) }
    }
}

extension StandardStream.Fault {
    /// Ends a command whose answer could not be written. If the reader has closed the pipe, the command ends silently
    /// by SIGPIPE, like other programs in a pipeline.
    func endCommand() -> Never {
        if isReaderGone {
            signal(SIGPIPE, SIG_DFL)
            var pipe = sigset_t()
            sigemptyset(&pipe)
            sigaddset(&pipe, SIGPIPE)
            pthread_sigmask(SIG_UNBLOCK, &pipe, nil)
            raise(SIGPIPE)
        }
        complain("consentlink: \(self)")
        exit(ExitStatus.failed.rawValue)
    }
}
