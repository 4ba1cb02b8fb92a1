import Cryptography
import HTTPTypes
import Hummingbird
import NIOCore

/// The style sheet, the script and the picture of the pages. Their addresses change with their content, so browsers may
/// keep them for ever.
struct Asset: Sendable {
    let path: String
    let mediaType: String
    let bytes: [UInt8]
    let mayBeKept: Bool

    static let styleSheet = Asset("console", "css", "text/css; charset=utf-8", PackageResources.console_css)
    static let script = Asset("console", "js", "text/javascript; charset=utf-8", PackageResources.console_js)
    static let icon = Asset(
        path: "/assets/icon.svg", mediaType: "image/svg+xml", bytes: PackageResources.icon_svg, mayBeKept: false)

    static let all = [styleSheet, script, icon]

    private init(path: String, mediaType: String, bytes: [UInt8], mayBeKept: Bool) {
        self.path = path
        self.mediaType = mediaType
        self.bytes = bytes
        self.mayBeKept = mayBeKept
    }

    private init(_ name: String, _ ending: String, _ mediaType: String, _ bytes: [UInt8]) {
        let hash = Hexadecimal.encode(Array(SHA256.hash(of: bytes).prefix(8)))
        self.init(path: "/assets/\(name)-\(hash).\(ending)", mediaType: mediaType, bytes: bytes, mayBeKept: true)
    }

    var response: Response {
        Response(
            status: .ok,
            headers: [
                .contentType: mediaType,
                .cacheControl: mayBeKept ? "public, max-age=31536000, immutable" : "public, max-age=86400",
                .xContentTypeOptions: "nosniff",
            ],
            body: .init(byteBuffer: ByteBuffer(bytes: bytes)))
    }
}
