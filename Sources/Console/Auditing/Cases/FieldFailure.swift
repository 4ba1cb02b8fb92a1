/// A field of a form that is invalid: the page says so above the form, and marks the field.
struct FieldFailure: Error {
    /// The field's name in the form.
    let field: String
    let text: String

    init(_ field: String, _ text: String) {
        self.field = field
        self.text = text
    }

    /// - Parameter names: the names of the fields, as the page shows them.
    init(_ field: String, _ fault: ConsoleRefusal.InputFault, _ names: [String: String], _ language: ConsoleLanguage) {
        self.init(field, RefusalTexts.all[language].unfit(names[field] ?? field, fault).text)
    }
}

extension FieldFailure? {
    /// For templates: `{{#invalid.reason}} aria-invalid="true"{{/invalid.reason}}`.
    var invalid: [String: Bool] { map { [$0.field: true] } ?? [:] }
}
