/// What a program image hands over to the one that replaces it: `NAME=NUMBER`, separated by colons.
enum HandedOver {
    /// The parts in their order. Other text is left out: the operator may have set the variable by hand.
    /// - Parameter text: `nil` if there was no image before.
    static func parts(of text: String?) -> [(name: Substring, number: Int)] {
        (text?.split(separator: ":") ?? []).compactMap { part in
            let pair = part.split(separator: "=")
            guard pair.count == 2, let number = Int(pair[1]) else { return nil }
            return (pair[0], number)
        }
    }
}
