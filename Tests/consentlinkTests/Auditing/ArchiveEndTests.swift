import Testing

@testable import consentlink

@Suite struct ArchiveEndTests {
    @Test(
        "an archive has arrived whole if it is whole blocks and ends in two of zeros, whatever pieces it comes in",
        arguments: [
            (512, 1024, true), (512, 1536, true), (0, 1024, true), (512, 1023, false), (512, 1025, false),
            (512, 512, false), (1024, 512, false), (511, 513, false), (512, 0, false), (1, 1024, false), (0, 0, false),
        ], [1, 100, 512, 4096])
    func reached(_ archive: (content: Int, zeros: Int, isWhole: Bool), _ length: Int) {
        let bytes = [UInt8](repeating: 7, count: archive.content) + [UInt8](repeating: 0, count: archive.zeros)
        var end = ArchiveEnd()
        for start in stride(from: 0, to: bytes.count, by: length) {
            end.take(Array(bytes[start..<min(start + length, bytes.count)]))
        }
        #expect(end.size == bytes.count)
        #expect(end.isReached == archive.isWhole)
    }
}
