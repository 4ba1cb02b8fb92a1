import Glibc

/// Checks that the arguments and the settings of the environment are texts.
///
/// Swift replaces bytes that are not UTF-8 by a character, so that another file could be meant than the one that was
/// named, and another recipient.
enum GivenText {
    private static let settings = "CONSENTLINK_"

    /// What is not UTF-8 among those that this process was given; `nil` if all is.
    ///
    /// - Parameter names: of the variables of the environment.
    static func fault(in names: some Collection<String>) -> String? {
        let arguments = CommandLine.unsafeArgv
        let given = (0..<Int(CommandLine.argc)).map { number in arguments[number].map { bytes(of: $0) } ?? [] }
        let variables = names.filter { $0.hasPrefix(settings) }.map { name in
            (name: name, value: getenv(name).map { bytes(of: $0) } ?? [])
        }
        return fault(arguments: given, variables: variables)
    }

    /// - Parameter arguments: the first one is the name of the program, which does not count.
    static func fault(arguments: [[UInt8]], variables: [(name: String, value: [UInt8])]) -> String? {
        for (number, argument) in arguments.enumerated().dropFirst() where !isText(argument) {
            return "argument \(number) is not UTF-8: \(String(decoding: argument, as: UTF8.self).shown)"
        }
        for variable in variables.sorted(by: { $0.name < $1.name }) where !isText(variable.value) {
            return "\(variable.name.shown) in the environment is not UTF-8"
        }
        return nil
    }

    private static func isText(_ bytes: [UInt8]) -> Bool { String(validating: bytes, as: UTF8.self) != nil }

    private static func bytes(of text: UnsafePointer<CChar>) -> [UInt8] {
        Array(UnsafeRawBufferPointer(start: text, count: strlen(text)))
    }
}
