/// What does not fit of a form: it is said above the form, and its field is marked.
struct FieldFailure: Error {
    /// By its name in the form.
    let field: String
    let text: String

    init(_ field: String, _ text: String) {
        self.field = field
        self.text = text
    }

    /// - Parameter names: of the fields, as the page writes them.
    init(_ field: String, _ fault: ConsoleRefusal.InputFault, _ names: [String: String], _ language: ConsoleLanguage) {
        self.init(field, RefusalTexts.all[language].unfit(names[field] ?? field, fault).text)
    }
}

extension FieldFailure? {
    /// For templates: `{{#invalid.reason}} aria-invalid="true"{{/invalid.reason}}`.
    var invalid: [String: Bool] { map { [$0.field: true] } ?? [:] }
}
