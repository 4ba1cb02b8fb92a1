import ArgumentParser

/// Why somebody looks at what is held about recipients.
struct AccessReasonOption: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Why you look. An organization that records accesses keeps it, and answers nothing without it.",
            valueName: "text"))
    var accessReason: String?
}
