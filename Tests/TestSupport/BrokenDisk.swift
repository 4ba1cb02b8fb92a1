import Foundation

/// Makes writes to a file of this process fail as a disk makes them fail.
///
/// It puts another open file in the place of the file's descriptors: `/dev/full`, or the file itself opened for
/// reading only.
package struct BrokenDisk {
    package enum Fault {
        case full
        case input
    }

    private let replaced: [(descriptor: Int32, original: Int32)]

    package init(_ fault: Fault, path: String) throws {
        let descriptors = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").compactMap { Int32($0) }
        let real = URL(filePath: path).resolvingSymlinksInPath().path
        replaced = descriptors.filter { descriptor in
            let target = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(descriptor)")
            return target == real
        }.map { descriptor in
            let original = dup(descriptor)
            let broken = fault == .full ? open("/dev/full", O_RDWR) : open(path, O_RDONLY)
            dup2(broken, descriptor)
            close(broken)
            return (descriptor, original)
        }
        precondition(!replaced.isEmpty, "nobody has the file open")
    }

    package func repair() {
        for (descriptor, original) in replaced {
            dup2(original, descriptor)
            close(original)
        }
    }
}
