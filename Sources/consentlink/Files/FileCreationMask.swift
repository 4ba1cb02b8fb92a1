import Glibc

/// The umask of this process: the permissions that its new files and folders do not get, whatever their mode is.
enum FileCreationMask {
    private static let ownerPermissions: mode_t = 0o700

    /// Takes the owner's permissions out of the mask. All files and folders of the program are for its own user, and
    /// their mode says so. If the mask removed these permissions, too, the program could not use what it made.
    ///
    /// What the mask removes from the group and from others stays removed. Must be called before the program makes a
    /// file, and while it has one thread, because reading the mask replaces it for a moment.
    static func keepOwnerPermissions() {
        let mask = umask(ownerPermissions)
        _ = umask(mask & ~ownerPermissions)
    }
}
