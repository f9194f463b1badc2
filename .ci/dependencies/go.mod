// The check of licences needs a library that the simulator does not: a module of its own.
module sdrsim/ci/dependencies

go 1.26.0

require github.com/google/licensecheck v0.3.1
