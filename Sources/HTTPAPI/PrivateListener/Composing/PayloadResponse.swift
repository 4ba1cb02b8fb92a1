import Formats
import HTTPTypes
import Hummingbird
import Identifiers
import JSON
import NIOCore
import UseCases

/// Payloads as an answer. They are rendered while the client reads them: ten thousand recipients of a mail of a
/// megabyte are ten gigabytes, which no service can hold in memory.
struct PayloadResponse<Batch: PayloadBatch>: Sendable {
    /// In bytes: how much is rendered at once. The last payload may exceed it.
    private static var bytesAtOnce: Int { 448 << 10 }
    /// In bytes: a shorter answer is sent in one piece, with its length.
    private static var bytesOfWhole: Int { 1 << 20 }
    /// In bytes: how much is sent before the access of the caller is checked again.
    private static var bytesOfAccess: Int { 1 << 20 }
    /// The name of `unsupportedMembers` in the first version; clients of that version read it.
    private static var formerName: String { "notCarried" }

    let batch: Batch
    /// The caller's access, checked before each further piece.
    let validity: CallerValidity

    /// One JSON document. A short one is sent whole; the length of a longer one is not known ahead.
    func document() throws -> Response {
        var writer = JSONWriter(capacity: 1024)
        begin(&writer)
        let next = try render(from: 0, to: &writer, atMost: Self.bytesOfWhole)
        guard next < batch.recipients.count else { return .json(document: end(&writer)) }
        return .streamed(.json) { [writer] body in
            var (buffers, next) = (ResponseBuffers(lines: writer), next)
            while next < batch.recipients.count {
                try await write(&buffers, to: &body)
                next = try render(from: next, to: &buffers.lines)
            }
            try await body.write(ByteBuffer(bytes: end(&buffers.lines)))
        }
    }

    /// A line for each payload. All decisions are stored before the first line.
    func lines() -> Response {
        .lines(headers: HTTPFields(sayingOf: batch.messageIfStored, batch.compiled)) { body in
            var (buffers, next) = (ResponseBuffers(), 0)
            while next < batch.recipients.count {
                next = try render(from: next, to: &buffers.lines) { $0.endLine() }
                try await write(&buffers, to: &body)
            }
        }
    }

    /// - Throws: ``RequestRefusal/keyDeleted`` if the caller's key was deleted. What was written before remains.
    private func write(_ buffers: inout ResponseBuffers, to body: inout any ResponseBodyWriter) async throws {
        if buffers.hasTaken(Self.bytesOfAccess) { try await validity.check() }
        try await body.write(buffers.takeLines())
    }

    private func begin(_ writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("message", batch.messageIfStored?.description)
        for name in ["unsupportedMembers", Self.formerName] {
            writer.key(name)
            writer.array { writer in
                for member in batch.compiled.unsupportedMembers { writer.string(member) }
            }
        }
        writer.key("payloads")
        writer.beginArray()
    }

    private func end(_ writer: inout JSONWriter) -> [UInt8] {
        writer.endArray()
        writer.endObject()
        return writer.takeBytes()
    }

    /// Renders payloads from `index` on until the piece is large enough.
    /// - Returns: the index of the next one.
    private func render(
        from index: Int, to writer: inout JSONWriter, atMost bytes: Int = bytesAtOnce,
        then separate: (inout JSONWriter) -> Void = { _ in }
    ) throws -> Int {
        var renderer = try batch.makeRenderer()
        var next = index
        while next < batch.recipients.count, writer.bytes.count < bytes {
            renderer.write(next, to: &writer)
            separate(&writer)
            next += 1
        }
        return next
    }
}
