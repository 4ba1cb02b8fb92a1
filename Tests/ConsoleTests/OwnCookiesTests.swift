import HTTPTypes
import Testing

@testable import Console

@Suite struct OwnCookiesTests {
    @Test(
        "the first cookie of a name, wherever it stands",
        arguments: [
            (["a=1; b=2"], "2"), (["b=2"], "2"), (["a=1;b=2;c=3"], "2"), (["a=1", "b=2"], "2"), (["b=2; b=3"], "2"),
            (["b=x=y"], "x=y"), (["b=; c=1"], ""), ([";;b=2;"], "2"), (["a=b=2"], nil), (["ab=2"], nil), (["b"], nil),
            ([], nil), ([""], nil), (["B=2"], nil),
        ] as [([String], String?)])
    func found(_ fields: [String], _ value: String?) {
        var headers = HTTPFields()
        headers[values: .cookie] = fields
        #expect(OwnCookies(headers)["b"] == value)
    }
}
