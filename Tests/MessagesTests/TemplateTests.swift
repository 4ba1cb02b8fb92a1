import Identifiers
import Messages
import Testing

@Suite struct TemplateTests {
    private func rendered(_ template: Template) -> String {
        var output: [UInt8] = []
        template.render(into: &output) { blank, output in
            switch blank {
            case .trackingID(let link): output.append(contentsOf: "<\(link)>".utf8)
            case .hexadecimalTrackingID(let link): output.append(contentsOf: "<x\(link)>".utf8)
            case .messageID: output.append(contentsOf: "<id>".utf8)
            }
        }
        return String(decoding: output, as: UTF8.self)
    }

    /// `#` stands for the tracking ID of the next link.
    private func template(_ text: String) -> Template {
        var template = Template()
        var link: UInt16 = 0
        for piece in text.split(separator: "#", omittingEmptySubsequences: false).map(Array.init).enumerated() {
            if piece.offset > 0 {
                template.append(.trackingID(LinkIndex(rawValue: link)))
                link += 1
            }
            template.append(String(piece.element).utf8)
        }
        return template
    }

    @Test(
        "IDs go where a place was left for them",
        arguments: [
            ("", ""), ("abc", "abc"), ("#", "<0>"), ("a#", "a<0>"), ("#a", "<0>a"), ("a#b", "a<0>b"), ("##", "<0><1>"),
            ("a##b#c", "a<0><1>b<2>c"), ("é#😀", "é<0>😀"),
        ]
    )
    func renders(_ text: String, _ expected: String) {
        #expect(rendered(template(text)) == expected)
        #expect(rendered(template(text)) == expected, "and again")
        #expect(
            template(text).renderedLength { _ in 3 } == expected.utf8.count,
            "its length is known without rendering")
    }

    @Test("a rendering is appended to what is there")
    func appends() {
        var output = Array("before ".utf8)
        template("a#").render(into: &output) { _, output in output.append(0x21) }
        #expect(output == Array("before a!".utf8))
    }

    @Test("the same link can stand in two places")
    func twice() {
        var template = Template()
        template.append(.trackingID(LinkIndex(rawValue: 7)))
        template.append(" and ".utf8)
        template.append(.trackingID(LinkIndex(rawValue: 7)))
        #expect(rendered(template) == "<7> and <7>")
    }

    @Test("each kind of blank has a length of its own")
    func lengths() {
        var template = Template()
        template.append("a".utf8)
        template.append(.messageID)
        template.append(.hexadecimalTrackingID(.message))
        template.append(.trackingID(LinkIndex(rawValue: 1)))
        #expect(rendered(template) == "a<id><x0><1>")
        let length = template.renderedLength { blank in
            switch blank {
            case .messageID: 16
            case .hexadecimalTrackingID: 80
            case .trackingID: 54
            }
        }
        #expect(length == 151)
    }

    @Test("a template within another is respelt between its blanks, which stay as they are")
    func nested() {
        var outer = Template()
        outer.append("[".utf8)
        outer.append(template("a#b##"), rewriting: { Array(String(decoding: $0, as: UTF8.self).uppercased().utf8) })
        outer.append("]".utf8)
        #expect(rendered(outer) == "[A<0>B<1><2>]")
        #expect(outer.renderedLength { _ in 3 } == rendered(outer).utf8.count)
    }

    @Test("blanks of different kinds have lengths of their own")
    func kinds() {
        var template = Template()
        template.append(.messageID)
        template.append(",".utf8)
        template.append(.hexadecimalTrackingID(.message))
        template.append(.trackingID(LinkIndex(rawValue: 3)))
        #expect(rendered(template) == "<id>,<x0><3>")
        #expect(
            template.renderedLength { blank in
                switch blank {
                case .messageID: 100
                case .hexadecimalTrackingID: 20
                case .trackingID: 3
                }
            } == 124)
    }

    @Test(
        "another template is taken over piece by piece, its blanks as they are",
        arguments: ["", "abc", "#", "a#", "#a", "a#b", "##", "a##b#c"]
    )
    func rewriting(_ text: String) {
        var template = template("x#y")
        template.append(self.template(text)) { piece in piece.flatMap { [$0, $0] } }
        let doubled = rendered(self.template(text.map { $0 == "#" ? "#" : "\($0)\($0)" }.joined()))
        #expect(rendered(template) == "x<0>y" + doubled)
    }
}
