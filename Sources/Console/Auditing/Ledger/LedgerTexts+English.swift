extension LedgerTexts {
    static let english = LedgerTexts(
        title: "Ledger", lead: "Was anything changed? Every consent record, decision and look is in one tree.",
        size: "Entries", state: "State", open: "Holds", closed: "Closed",
        closedText: """
            The database differs from the entries of the ledger. So the ledger takes no more entries, and no person is \
            tracked. Ask the operator for the entry that differs: the service’s log and /readyz name it. Keep your \
            checkpoints until then.
            """,
        lastCheck: "All of it was last checked", notYet: "Not yet, since the service started",
        checkpoint: "Newest checkpoint",
        checkpointHint: """
            Keep it where the operator cannot change it. With it you can prove later that nothing in today’s ledger was \
            changed, deleted or moved.
            """,
        key: "Key of the ledger",
        keyHint: "With it, consentlink verify checks proofs and exports without this service.",
        copyCheckpoint: "Copy the checkpoint", copyKey: "Copy the key", copied: "Copied",
        compareTitle: "Does the ledger continue an older checkpoint?",
        compareHint: "Paste all its lines, with the signature below.", paste: "Older checkpoint", compare: "Compare",
        unreadable:
            "This is not a whole checkpoint: three lines, an empty one, and a signature below. Nothing was compared.",
        otherLedger: { "This is a checkpoint of another ledger: \($0). Nothing was compared." },
        forged: """
            The signature does not hold: the text was changed, or this ledger’s key did not sign it. It says nothing about \
            the ledger.
            """,
        ahead: { old, new in
            """
            Entries are missing: the checkpoint was signed over \(old.of("entry", "entries")), and the ledger has \
            \(new). Tell the operator, and keep the checkpoint.
            """
        },
        departs: { old in
            """
            The ledger was changed: it does not begin with the \(old.of("entry", "entries")) that the checkpoint was \
            signed over. Tell the operator, and keep the checkpoint.
            """
        },
        continues: { old, new in
            let entries = old.form(
                "the one entry of the checkpoint stands", "all \(old) entries of the checkpoint stand")
            return """
                Nothing was changed: \(entries) unchanged at the beginning of the ledger, which has \
                \(new.of("entry", "entries")) now.
                """
        },
        continuesClosed: """
            The tree of the ledger continues the checkpoint. But the database differs from the tree, so the ledger is \
            closed. Tell the operator, and keep the checkpoint.
            """,
        exportTitle: "Export",
        exportHint: """
            Decisions, consent records, interactions and looks with their proofs, as one archive; its README says how \
            to verify it. It names many people. It is not recorded as a look at each of them; the service’s log says \
            who made it.
            """,
        from: "From", to: "Before", export: "Download the export",
        exportUnderWay: """
            An export of this ledger is being made already. One is made at a time; please try again when it has ended.
            """)
}
