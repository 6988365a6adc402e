import { Cause, Effect, Layer, Logger, References } from "effect"
import { Settings } from "./Settings.ts"

// Whoever reads the log may go away; the service stays.
process.stderr.on("error", () => {})

let lines = ""

/** Writes the lines of one turn of the event loop at once: a write costs as much as many lines. */
const flush = () => {
  const text = lines
  lines = ""
  if (text !== "") process.stderr.write(text)
}
process.on("exit", flush)

const write = (line: string) => {
  if (lines === "") setImmediate(flush)
  lines += `${line}\n`
}

/** One JSON object a line on standard error, which leaves standard output to what a command prints. */
const jsonLines = Logger.make<unknown, void>(({ cause, date, fiber, logLevel, message }) =>
  write(
    JSON.stringify({
      time: date.toISOString(),
      level: logLevel.toLowerCase(),
      message: Array.isArray(message) ? message.map(String).join(" ") : String(message),
      ...fiber.getRef(References.CurrentLogAnnotations),
      ...(cause.reasons.length > 0 ? { cause: Cause.pretty(cause) } : {})
    })
  )
)

/** Logs as JSON lines, from the configured level on. */
export const layer = Layer.merge(
  Logger.layer([jsonLines]),
  Layer.effect(
    References.MinimumLogLevel,
    Effect.map(Settings, ({ logLevel }) => logLevel)
  )
)
