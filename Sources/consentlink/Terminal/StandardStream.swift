import ArgumentParser
import Glibc
import SystemPackage

/// Standard output or standard error, without a buffer: what was written is the kernel's.
enum StandardStream: CInt {
    case output = 1
    case error = 2

    /// Why nothing more can be written.
    struct Fault: Error, CustomStringConvertible {
        let stream: StandardStream
        let code: CInt

        /// Whether the program that read it has gone, which is no fault where a reader has seen enough.
        var isReaderGone: Bool { code == EPIPE }

        var description: String {
            let name = stream == .output ? "standard output" : "standard error"
            return "\(name) takes no more: \(isReaderGone ? "its reader has gone" : String(cString: strerror(code)))"
        }
    }

    /// Makes the three standard descriptors safe. To be called before anything is opened.
    ///
    /// A closed one would be given to the next file or connection, and what is meant for a person would be written there.
    /// It becomes `/dev/null`, opened the wrong way round: reading and writing answers fail, as they do on a closed one.
    static func prepare() {
        // Writing fails instead of ending the process, so that a service goes on without its reader.
        signal(SIGPIPE, SIG_IGN)
        for (descriptor, mode) in [(STDIN_FILENO, O_WRONLY), (STDOUT_FILENO, O_RDONLY), (STDERR_FILENO, O_WRONLY)] {
            // The lowest free number is given: this one, as those below it are open by now.
            if fcntl(descriptor, F_GETFD) == -1 { _ = open("/dev/null", mode) }
        }
    }

    /// All of `bytes`; waits for a reader that is slow.
    func write(_ bytes: [UInt8]) throws(Fault) {
        do throws(Errno) {
            try FileDescriptor(rawValue: rawValue).writeWhole(bytes)
        } catch { throw Fault(stream: self, code: error.rawValue) }
    }

    /// Writes what nothing depends on, such as how far something is. Does not matter when it cannot be written.
    func tell(_ text: String) { try? write(Array(text.utf8)) }
}

extension StandardStream.Fault {
    /// Ends a command whose answer could not be written. Where the reader has gone, quietly and by SIGPIPE, as other
    /// programs end in a pipeline.
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
