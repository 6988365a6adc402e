import { Cause, DateTime, Effect, Layer, Logger, LogLevel, References } from "effect"
import { type AnsweredRequest, RequestLog } from "./RequestLog.ts"
import { Settings } from "./Settings.ts"

// A log that nobody reads any more must not end the service.
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

const writeRequest = ({ at, charge, key, method, millis, requestId, route, status }: AnsweredRequest) =>
  write(
    JSON.stringify({
      time: DateTime.formatIso(DateTime.makeUnsafe(at)),
      level: "info",
      message: "request",
      request_id: requestId,
      method,
      route,
      status,
      ms: Math.round(millis * 1000) / 1000,
      key,
      charge
    })
  )

const nothing = () => {}

/** Logs as JSON lines, from the configured level on. */
export const layer = Layer.unwrap(
  Effect.map(Settings, ({ logLevel }) =>
    Layer.mergeAll(
      Logger.layer([jsonLines]),
      Layer.succeed(References.MinimumLogLevel, logLevel),
      Layer.succeed(RequestLog, LogLevel.isGreaterThan(logLevel, "Info") ? nothing : writeRequest)
    )
  )
)
