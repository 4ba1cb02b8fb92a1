/// How much of the disk must be free for clicks to be stored. The space below it is kept for consent and decisions.
struct DiskFloor: Sendable {
    /// The data folder.
    let folder: String
    let mebibytes: Int

    /// Whether too little space is free. On a small disk the floor is a twentieth of the disk.
    var isReached: Bool {
        guard let space = DiskSpace(ofFolder: folder) else { return false }
        return space.free < bytes(of: space)
    }

    func bytes(of space: DiskSpace) -> UInt64 { min(UInt64(mebibytes) << 20, space.total / 20) }
}
