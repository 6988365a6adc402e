// The parts of the page that load when they are first needed: in one file, because the bundler would take a part of the
// page's script out into a file of its own for two of them, which compresses worse.
export { columnOf, importChosen, importPasted, reopen } from "./importing.ts"
export { computeProgress } from "../../progress/Progress.ts"
