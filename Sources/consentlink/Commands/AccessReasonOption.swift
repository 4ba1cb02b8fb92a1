import ArgumentParser

/// The caller's reason to look at the records about a recipient.
struct AccessReasonOption: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Reason for the look. An organization that records accesses keeps it, and answers nothing without it.",
            valueName: "text"))
    var accessReason: String?
}
