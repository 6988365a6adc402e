import { Clock, Config, Console, Effect, Option, References, Stdio } from "effect"
import { figure } from "../text/Figures.ts"
import { WorkProgress, type WorkStage } from "../observability/WorkProgress.ts"
import { onOneLine } from "../text/SafeText.ts"
import { columns } from "./Layout.ts"

/** The delay before progress is shown, and the interval of updates, in milliseconds. */
const delay = 500
const interval = 100

/** The share of the work after which the remaining time is estimated. */
const leastShare = 0.02

/** A remaining time in words, rounded up to the precision of an estimate. */
export const leftInWords = (millis: number): string => {
  const seconds = millis / 1000
  if (seconds < 60) return `about ${Math.max(Math.ceil(seconds / 5) * 5, 5)} s left`
  return seconds < 3600
    ? `about ${Math.ceil(seconds / 60)} min left`
    : `about ${figure(Math.ceil(seconds / 360) / 10)} h left`
}

/** A text of at most `width` characters; if it is cut off, it ends with `…`. */
const shorten = (text: string, width: number): string => (text.length <= width ? text : `${text.slice(0, width - 1)}…`)

/** A stage as a line of less than `width` columns, `millis` after it began. */
export const stageLine = ({ detail, done = 0, total = 0, work }: WorkStage, millis: number, width: number): string => {
  const name = detail === undefined ? work : `${work} ${detail}`
  if (total === 0) return shorten(`${name} …`, width - 1)
  const share = Math.min(done / total, 1)
  const left = share < leastShare || share === 1 ? "" : leftInWords((millis / share) * (1 - share))
  const numbers = `${Math.floor(share * 100)}%`.padStart(4)
  const room = Math.min(width - 1 - name.length - numbers.length - 24, 40)
  const drawn = room < 8 ? "" : `  ${"█".repeat(Math.round(share * room)).padEnd(room, "·")}`
  return shorten(`${name}${drawn}  ${numbers}  ${left}`.trimEnd(), width - 1)
}

/**
 * Shows the progress of work in a line on standard error that is erased at the end, only if that is a terminal. Log
 * lines below warnings are held back, because they would break the line.
 */
export const withProgress = <A, E, R>(work: Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    const stdio = yield* Stdio.Stdio
    const terminal = yield* Effect.orDie(Config.option(Config.String("TERM")))
    if (!(yield* stdio.stderrIsTerminal) || Option.contains(terminal, "dumb")) return yield* work
    const clock = yield* Clock.Clock
    const width = yield* columns
    const began = clock.currentTimeMillisUnsafe()
    let [stage, stageBegan, shownAt] = ["", began, -Infinity]
    const report = (next: WorkStage) => {
      const now = clock.currentTimeMillisUnsafe()
      const isNew = next.work !== stage
      if (isNew) [stage, stageBegan] = [next.work, now]
      // A stage without a total reports only once and may block, so it is shown immediately.
      const isBlocking = isNew && next.total === undefined
      if (!isBlocking && (now - began < delay || (!isNew && now - shownAt < interval))) return
      shownAt = now
      process.stderr.write(`\r\u001b[2K${onOneLine(stageLine(next, now - stageBegan, width))}`)
    }
    const clear = () => {
      if (shownAt !== -Infinity) process.stderr.write("\r\u001b[2K")
    }
    const console = yield* Console.Console
    const afterClearing =
      (write: (...parts: ReadonlyArray<unknown>) => void) =>
      (...parts: ReadonlyArray<unknown>) => {
        clear()
        write(...parts)
      }
    return yield* work.pipe(
      Effect.provideService(
        Console.Console,
        Object.assign({}, console, {
          log: afterClearing((...parts) => console.log(...parts)),
          error: afterClearing((...parts) => console.error(...parts))
        })
      ),
      Effect.provideService(WorkProgress, { isShown: true, report }),
      Effect.provideService(References.MinimumLogLevel, "Warn"),
      Effect.ensuring(Effect.sync(clear))
    )
  })
