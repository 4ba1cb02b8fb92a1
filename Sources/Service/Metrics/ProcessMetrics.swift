import Counting
import Foundation
import Glibc

/// What the kernel says of this process, under the names that Prometheus's own clients use.
struct ProcessMetrics: MetricSource {
    var metrics: [MetricFamily] {
        guard let status = ProcessStatus() else { return [] }
        return [
            .total("process_cpu_seconds_total", "Processor time, user and system.", status.cpuSeconds),
            .gauge("process_resident_memory_bytes", "Resident memory.", status.residentBytes),
            .gauge("process_virtual_memory_bytes", "Virtual memory.", status.virtualBytes),
            .gauge("process_start_time_seconds", "When the process began, in seconds since 1970.", status.startTime),
            .gauge("process_open_fds", "Open file descriptors.", Double(Self.openDescriptors)),
            .gauge("process_max_fds", "How many file descriptors may be open.", Double(Self.maximumDescriptors)),
        ]
    }

    private static var openDescriptors: Int {
        // The folder's own descriptor is among them while it is read.
        ((try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count) ?? 1) - 1
    }

    private static var maximumDescriptors: UInt {
        var limit = rlimit()
        getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        return limit.rlim_cur
    }
}

/// `/proc/self/stat`, as proc(5) has it.
private struct ProcessStatus {
    let cpuSeconds: Double
    let startTime: Double
    let virtualBytes: Double
    let residentBytes: Double

    init?() {
        guard let text = try? String(contentsOfFile: "/proc/self/stat", encoding: .utf8),
            // The second field, the command's name, is in parentheses and may have anything in it.
            let end = text.lastIndex(of: ")")
        else { return nil }
        let fields = text[text.index(after: end)...].split(separator: " ").map { Double($0) ?? 0 }
        guard fields.count > 21 else { return nil }
        let ticks = Double(sysconf(CInt(_SC_CLK_TCK)))
        // fields[0] is the third of the manual's.
        cpuSeconds = (fields[11] + fields[12]) / ticks
        startTime = Self.bootTime + fields[19] / ticks
        virtualBytes = fields[20]
        residentBytes = fields[21] * Double(sysconf(CInt(_SC_PAGESIZE)))
    }

    /// When the machine began, in seconds since 1970. `/proc/stat` says it too, and is not there for a process that may see
    /// processes alone (`ProcSubset=pid`).
    private static var bootTime: Double {
        (seconds(CLOCK_REALTIME) - seconds(CLOCK_BOOTTIME)).rounded()
    }

    private static func seconds(_ clock: clockid_t) -> Double {
        var time = timespec()
        clock_gettime(clock, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
