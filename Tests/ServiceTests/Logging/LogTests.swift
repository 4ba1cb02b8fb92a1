import Identifiers
import JSON
import Logging
import Redirect
import SQL
import SQLiteFiles
import TestSupport
import Testing

@testable import Service

/// What stands in the log: one JSON object a line, whatever is logged, and nothing that tells of people.
@Suite struct LogTests {
    private func line(
        _ message: Logger.Message, _ metadata: Logger.Metadata? = nil, level: Logger.Level = .info,
        of handler: Logger.Metadata = [:]
    ) throws -> (bytes: [UInt8], members: [String: String]) {
        var handlerOfLines = JSONLogHandler(label: "consentlink", logLevel: .trace)
        handlerOfLines.metadata = handler
        let bytes = handlerOfLines.line(
            of: LogEvent(
                level: level, message: message, metadata: metadata, source: "Tests", file: "", function: "", line: 0))
        var members: [String: String] = [:]
        if case .object(let object) = try JSONValue.parse(Array(bytes.dropLast())) {
            for member in object.members {
                guard case .string(let text) = member.value else { continue }
                members[member.name] = text
            }
        }
        return (bytes, members)
    }

    @Test(
        "what is logged cannot begin a line of its own, nor leave its text",
        arguments: [
            "a\nb", "a\r\nb", "\"}\n{\"level\":\"info", "\\", "\u{0}\u{1B}[31m", "\u{2028}", "é😀", "",
        ])
    func injection(_ text: String) throws {
        let (bytes, members) = try line("\(text)", ["recipient": "\(text)"])
        #expect(bytes.filter { $0 == UInt8(ascii: "\n") }.count == 1 && bytes.last == UInt8(ascii: "\n"))
        #expect(bytes.allSatisfy { $0 >= 0x20 || $0 == 0x0A })
        #expect(members["message"] == text && members["recipient"] == text)
    }

    @Test(
        "a line has its level by the name that swift-log gives it, and a time that can be read",
        arguments: Logger.Level.allCases)
    func levels(_ level: Logger.Level) throws {
        let members = try line("x", level: level).members
        #expect(members["level"] == level.rawValue && members["logger"] == "consentlink")
        #expect(try Timestamp(rfc3339: members["time"] ?? "") > .distantPast)
    }

    @Test("what a line says of itself counts before what all lines say, and lists are text")
    func metadata() throws {
        let members = try line("x", ["a": "line", "list": ["1", "2"]], of: ["a": "all", "b": "all"]).members
        #expect(members["a"] == "line" && members["b"] == "all")
        #expect(members["list"] == #"["1", "2"]"#)
        #expect(members.count == 7)
    }

    @Test("a fault of the redirect is an error with its reason, and names no file")
    func redirectFaults() {
        let log = CapturedLog()
        let fault = StorageError.failed(EngineFault(sqlite: 10))
        for fault in [RedirectFault.spoolFailed(fault), .drainFailed(fault), .directoryFailed(fault)] {
            fault.log(to: log.logger)
        }
        #expect(log.levels == [.error, .error, .error])
        #expect(Set(log.lines.map(\.message)).count == 3)
        for line in log.lines {
            let error = line.metadata["error"]
            #expect(error == "the storage failed and takes nothing more until a restart: disk I/O error (10)")
        }
    }

    @Test(
        "a start tells every setting, and warns of a private listener that others can reach",
        arguments: [
            ("127.0.0.1:8081", false), ("10.0.0.1:8081", true), ("0.0.0.0:8081", true),
        ])
    func start(_ address: String, _ isWarned: Bool) throws {
        let log = CapturedLog()
        var settings = ServiceSettings()
        settings.apiListen = try #require(ListenAddress(address))
        var generator = SeededGenerator(seed: 1)
        LifecycleLog(logger: log.logger).started(settings, folder: FolderID(using: &generator))
        #expect(log.levels == (isWarned ? [.info, .warning] : [.info]))
        let names = Set(ServiceSettings.names + ["version", "folder"])
        #expect(Set(try #require(log.lines.first).metadata.keys) == names)
        #expect(log.lines.first?.metadata["threads"] == "one a core")
    }
}
