extension SettingsInForce {
    /// The doctor's entry if the setting `storage` does not name the place of the database: a start uses that place
    /// anyway.
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
