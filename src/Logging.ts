import { Cause, Effect, Layer, Logger, References } from "effect"
import { Settings } from "./Settings.ts"

// A reader of the log that closes the pipe must not stop the service.
process.stderr.on("error", () => {})

let lines = ""

/** Writes the lines of one event loop iteration together: the cost of a write hardly depends on its length. */
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

/** One JSON object per line on standard error; standard output is for what commands print. */
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

/** Logs JSON lines at the configured level and above. */
export const layer = Layer.merge(
  Logger.layer([jsonLines]),
  Layer.effect(
    References.MinimumLogLevel,
    Effect.map(Settings, ({ logLevel }) => logLevel)
  )
)
