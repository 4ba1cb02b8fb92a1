import Logging
import ServiceLifecycle

extension ServiceGroupConfiguration {
    /// Runs `services` until `stop` returns.
    static func consentLink(
        _ services: [any Service], until stop: StopSignal, logger: Logger
    ) -> ServiceGroupConfiguration {
        var quiet = logger
        // At level `debug` a service group logs the names of all services at each step.
        quiet.logLevel = max(logger.logLevel, .info)
        var configuration = ServiceGroupConfiguration(
            services: services.map { .named($0) } + [.named(stop, atItsEnd: .gracefullyShutdownGroup)], logger: quiet)
        configuration.maximumGracefulShutdownDuration = Duration.seconds(4)
        // No maximum duration of the cancellation is set, because its end would be a crash. ``LastResort`` is the
        // limit.
        return configuration
    }
}
