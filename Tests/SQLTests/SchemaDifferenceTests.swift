import SQL
import Testing

@Suite struct SchemaDifferenceTests {
    @Test("a difference names the object, in one line, whatever its name is")
    func descriptions() {
        let index = SchemaObjectName(type: "index", name: "people_by_name")
        #expect("\(SchemaDifference.missing(index))" == "the index people_by_name is missing")
        #expect("\(SchemaDifference.different(index))" == "the index people_by_name is different")
        #expect("\(SchemaDifference.unknown(index))" == "the index people_by_name is not known")
        #expect("\(SchemaDifference.version(-1))" == "no version of the service has schema version -1")
        let name = "a\n\u{1B}[2J\u{202E}b \u{E9}1" + String(repeating: "c", count: 99)
        let strange = SchemaObjectName(type: "table", name: name)
        #expect("\(strange)" == "the table a???2J?b??1" + String(repeating: "c", count: 53))
    }
}
