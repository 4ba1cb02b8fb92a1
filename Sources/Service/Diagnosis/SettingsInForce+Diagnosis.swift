extension SettingsInForce {
    /// What the doctor says where the setting `storage` does not name where the database is: a start uses it all the same.
    package var diagnosis: [DiagnosisEntry] {
        guard isOutdated else { return [] }
        return [
            DiagnosisEntry(
                "settings",
                "storage does not name where the data is after a move; a start uses \(settings.storageText)",
                remedy: "Set storage to \(settings.storageText).")
        ]
    }
}
