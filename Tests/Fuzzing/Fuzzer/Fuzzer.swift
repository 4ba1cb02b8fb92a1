import FuzzTargets
import Glibc

/// libFuzzer around the target that `FUZZ_TARGET` names. It comes by environment, as libFuzzer starts itself anew for
/// some of its work.
@main struct Fuzzer {
    /// Set before the first input, on the one thread that there is.
    nonisolated(unsafe) private static var target: (any FuzzTarget)?

    static func main() throws {
        let name = getenv("FUZZ_TARGET").map { String(cString: $0) }
        guard let type = FuzzTargets.all.first(where: { $0.name == name }) else {
            print("FUZZ_TARGET must be one of \(FuzzTargets.all.map { $0.name }.joined(separator: ", "))")
            exit(2)
        }
        target = try type.init()
        var count = CommandLine.argc
        var arguments = CommandLine.unsafeArgv
        exit(
            runDriver(&count, &arguments) { start, count in Fuzzer.run(UnsafeBufferPointer(start: start, count: count))
            })
    }

    /// A crash is what libFuzzer is looking for.
    private static func run(_ input: UnsafeBufferPointer<UInt8>) -> CInt {
        do {
            _ = try target?.hold(Array(input))
        } catch {
            fatalError("\(error)")
        }
        return 0
    }
}

@_silgen_name("LLVMFuzzerRunDriver")
private func runDriver(
    _ count: inout CInt, _ arguments: inout UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>,
    _ run: @convention(c) (UnsafePointer<UInt8>?, Int) -> CInt
) -> CInt
