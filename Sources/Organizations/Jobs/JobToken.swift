/// What a node gives with each step of a job: it shows which lease the step is done under.
package struct JobToken: Hashable, Sendable {
    package let job: Job
    /// Greater for each lease of the job than for all before.
    package let number: UInt64

    package init(job: Job, number: UInt64) {
        self.job = job
        self.number = number
    }
}

/// Refuses a step of a job: the lease it was to be done under is released, or another one was taken after it.
package struct JobTokenExpired: Error, Hashable {
    package init() {}
}
