import Counting
import Foundation
import Glibc
import Identifiers
import TestSupport
import Testing

@testable import Service

/// What the file system and the kernel say, on the page of the metrics.
@Suite struct SystemMetricsTests {
    /// The values of a page by their series.
    private func values(_ source: some MetricSource) -> [String: Double] {
        var values: [String: Double] = [:]
        for line in PrometheusText(source.metrics).text.split(separator: "\n") where !line.hasPrefix("#") {
            guard let space = line.lastIndex(of: " ") else { continue }
            values[String(line[..<space])] = Double(line[line.index(after: space)...])
        }
        return values
    }

    @Test("each database has its size, and a log that is not there has 0")
    func sizes() throws {
        try MadeFolder.with { made in
            let metrics = StorageMetrics(
                dataFolder: made.path, folder: made.id, backups: made.beside.path(of: "backups"))
            try made.write([UInt8](repeating: 1, count: 1234), to: "spool.db-wal")
            let values = values(metrics)
            #expect(values[#"consentlink_store_bytes{file="spool.db-wal"}"#] == 1234)
            #expect(values[#"consentlink_store_bytes{file="consentlink.db-wal"}"#] == 0)
            let size = Double(try made.bytes(of: "consentlink.db").count)
            #expect(values[#"consentlink_store_bytes{file="consentlink.db"}"#] == size && size > 0)
        }
    }

    @Test("a database on a server has its size, and stands in the place of the file")
    func sizeOnServer() throws {
        try MadeFolder.with(.postgres) { made in
            let metrics = StorageMetrics(
                dataFolder: made.path, folder: made.id, backups: made.path, bytesOnServer: { 8_000_000 })
            let sizes = values(metrics).filter { $0.key.hasPrefix("consentlink_store_bytes") }
            #expect(sizes[#"consentlink_store_bytes{file="postgresql"}"#] == 8_000_000)
            #expect(sizes.count == 3 && !sizes.keys.contains { $0.contains("consentlink.db") })
        }
    }

    @Test("the last backup counts from when it was begun, and none is 0, so that an alert on its age fires")
    func backups() throws {
        try MadeFolder.with { made in
            let metrics = StorageMetrics(
                dataFolder: made.path, folder: made.id, backups: made.beside.path(of: "backups"), now: { .noon + 500 })
            let name = "consentlink_backup_last_success_timestamp_seconds"
            #expect(values(metrics)[name] == 0)
            #expect(values(metrics)["consentlink_backup_folder_readable"] == 1, "it is made with the first backup")
            try made.backUp(in: metrics.backups, startedAt: .noon + 500)
            #expect(values(metrics)[name] == 1_795_348_800.5)
            try made.backUp(in: metrics.backups, startedAt: .noon + 86_400_000)
            #expect(values(metrics)[name] == 1_795_348_800.5, "one of a time that is to come hides no lack of backups")
        }
    }

    @Test("a folder for backups that cannot be read is told apart from one without backups")
    func unreadableBackups() throws {
        try MadeFolder.with { made in
            let backups = try made.beside.write("a file", to: "backups")
            let values = values(StorageMetrics(dataFolder: made.path, folder: made.id, backups: backups))
            #expect(values["consentlink_backup_last_success_timestamp_seconds"] == 0)
            #expect(values["consentlink_backup_folder_readable"] == 0)
        }
    }

    @Test("the disks of both folders are told, also of one that is not made yet; of none that cannot be asked")
    func disks() throws {
        try MadeFolder.with { made in
            let metrics = StorageMetrics(dataFolder: made.path, folder: made.id, backups: "/etc/passwd/none")
            let values = values(metrics)
            let free = try #require(values[#"consentlink_disk_free_bytes{folder="data"}"#])
            let size = try #require(values[#"consentlink_disk_size_bytes{folder="data"}"#])
            #expect(free > 0 && free <= size)
            #expect(values[#"consentlink_disk_free_bytes{folder="backups"}"#] == nil)
        }
    }

    @Test("the kernel's numbers of this process are those of this process")
    func process() throws {
        let before = values(ProcessMetrics())
        let descriptors = (0..<7).map { _ in open("/dev/null", O_RDONLY) }
        let after = values(ProcessMetrics())
        for descriptor in descriptors { close(descriptor) }
        let opened = try #require(after["process_open_fds"]) - #require(before["process_open_fds"])
        // Tests that run beside this one may open and close some.
        #expect((1.0...100).contains(opened))
        let resident = try #require(after["process_resident_memory_bytes"])
        #expect(resident > 1_048_576 && resident < (after["process_virtual_memory_bytes"] ?? 0))
        #expect(try #require(after["process_cpu_seconds_total"]) >= before["process_cpu_seconds_total"] ?? .infinity)
        let start = try #require(after["process_start_time_seconds"])
        let now = Date().timeIntervalSince1970
        #expect(start <= now && start > now - 7 * 86_400)
        #expect(try #require(after["process_max_fds"]) >= 7)
    }
}
