// Sets the clock of a process ahead, by as many milliseconds as CLOCK_AHEAD_MS says: to be imported before the program.
/* oxlint-disable no-restricted-globals, no-restricted-properties -- it is below the clock that a program takes */
const ahead = Number(process.env["CLOCK_AHEAD_MS"])
const now = Date.now

Date.now = () => now() + ahead
