import Glibc
import Service

/// Checks that the arguments and the settings of the environment are UTF-8, and that the settings have nothing around
/// them.
///
/// Swift replaces bytes that are not UTF-8 by a character, so that another file could be meant than the one that was
/// named, and another recipient. A setting with quotation marks or a line end around it names another folder, too.
enum GivenText {
    private static let settings = "CONSENTLINK_"
    /// A password may be any text, and entries of a list may have white space around them.
    private static let free = Set(
        ["CONSENTLINK_STORAGE_PASSWORD", "CONSENTLINK_RELAY_ALLOW"]
            + SettingText.lists.map(ServiceSettings.variable))

    /// What is wrong with the arguments that this process was given; `nil` if nothing is.
    static var argumentFault: String? {
        let arguments = CommandLine.unsafeArgv
        return fault(in: (0..<Int(CommandLine.argc)).map { number in arguments[number].map { bytes(of: $0) } ?? [] })
    }

    /// What is wrong with the settings that this process was given; `nil` if nothing is.
    ///
    /// - Parameter names: of the variables of the environment.
    static func fault(inSettings names: some Collection<String>) -> String? {
        fault(
            in: names.filter { $0.hasPrefix(settings) }.map { name in
                (name: name, value: getenv(name).map { bytes(of: $0) } ?? [])
            })
    }

    /// - Parameter arguments: the first one is the name of the program, which does not count.
    static func fault(in arguments: [[UInt8]]) -> String? {
        for (number, argument) in arguments.enumerated().dropFirst() where text(argument) == nil {
            return "argument \(number) is not UTF-8: \(String(decoding: argument, as: UTF8.self).shown)"
        }
        return nil
    }

    static func fault(in variables: [(name: String, value: [UInt8])]) -> String? {
        for variable in variables.sorted(by: { $0.name < $1.name }) {
            guard let text = text(variable.value) else {
                return "\(variable.name.shown) in the environment is not UTF-8"
            }
            guard !free.contains(variable.name), let fault = SettingText.fault(in: text) else { continue }
            return "\(variable.name.shown) in the environment \(fault)"
        }
        return nil
    }

    private static func text(_ bytes: [UInt8]) -> String? { String(validating: bytes, as: UTF8.self) }

    private static func bytes(of text: UnsafePointer<CChar>) -> [UInt8] {
        Array(UnsafeRawBufferPointer(start: text, count: strlen(text)))
    }
}
