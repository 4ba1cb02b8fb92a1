import Counting
import Foundation
import Glibc

/// The kernel's numbers about this process, under the names that Prometheus's own clients use.
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
        // The folder's own descriptor is counted while the folder is read.
        ((try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count) ?? 1) - 1
    }

    private static var maximumDescriptors: UInt {
        var limit = rlimit()
        getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        return limit.rlim_cur
    }
}

/// `/proc/self/stat`, in the format of proc(5).
struct ProcessStatus {
    let cpuSeconds: Double
    let startTime: Double
    let virtualBytes: Double
    let residentBytes: Double

    init?() {
        guard let text = try? String(contentsOfFile: "/proc/self/stat", encoding: .utf8),
            // The second field, the command's name, is in parentheses and may contain any character.
            let end = text.lastIndex(of: ")")
        else { return nil }
        let fields = text[text.index(after: end)...].split(separator: " ").map { Double($0) ?? 0 }
        guard fields.count > 21 else { return nil }
        let ticks = Double(sysconf(CInt(_SC_CLK_TCK)))
        // fields[0] is the third field of the manual.
        cpuSeconds = (fields[11] + fields[12]) / ticks
        startTime = Self.bootTime + fields[19] / ticks
        virtualBytes = fields[20]
        residentBytes = fields[21] * Double(sysconf(CInt(_SC_PAGESIZE)))
    }

    /// The time when the machine started, in seconds since 1970. `/proc/stat` has it too, but a process that may only
    /// see processes (`ProcSubset=pid`) cannot read it.
    private static var bootTime: Double {
        let nanoseconds = ClockReading.nanoseconds(CLOCK_REALTIME) - ClockReading.nanoseconds(CLOCK_BOOTTIME)
        return (Double(nanoseconds) / 1e9).rounded()
    }
}
