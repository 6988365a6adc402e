import { Cause, Effect, Layer, Logger, LogLevel, References } from "effect"
import { type AnsweredRequest, RequestLog } from "./RequestLog.ts"
import { safeJson } from "../text/SafeText.ts"
import { Settings } from "../Settings.ts"
import { isoTime } from "../text/Times.ts"

// The service must not stop if a reader of the log closes the pipe.
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
    safeJson({
      time: date.toISOString(),
      level: logLevel.toLowerCase(),
      message: Array.isArray(message) ? message.map(String).join(" ") : String(message),
      ...fiber.getRef(References.CurrentLogAnnotations),
      ...(cause.reasons.length > 0 ? { cause: Cause.pretty(cause) } : {})
    })
  )
)

/** The same without settings, for failures before they are known. */
export const layerWithoutSettings = Logger.layer([jsonLines])

let lastAt = -1
let lastTime = ""

/** A time as text. Cached for a millisecond, in which many requests are answered: formatting it takes as long as the rest of a line. */
const timeOf = (at: number): string => {
  if (at !== lastAt) {
    lastAt = at
    lastTime = isoTime(at)
  }
  return lastTime
}

/** Polled constantly, and not logged while they succeed. */
const probes = new Set<string | undefined>(["/livez", "/readyz"])

/** Writes request lines at a level and above: a 5xx is an error. */
const writeRequest =
  (minimum: LogLevel.LogLevel) =>
  ({ at, charge, client, code, key, method, millis, requestId, route, status }: AnsweredRequest): void => {
    const level = status >= 500 ? "Error" : "Info"
    if (LogLevel.isGreaterThan(minimum, level) || (status < 400 && probes.has(route))) return
    write(
      JSON.stringify({
        time: timeOf(at),
        level: level.toLowerCase(),
        message: "request",
        request_id: requestId,
        method,
        route,
        status,
        code,
        ms: Math.round(millis * 1000) / 1000,
        key,
        charge,
        client
      })
    )
  }

/** Logs JSON lines at the configured level and above. */
export const layer = Layer.unwrap(
  Effect.map(Settings, ({ logLevel }) =>
    Layer.mergeAll(
      Logger.layer([jsonLines]),
      Layer.succeed(References.MinimumLogLevel, logLevel),
      Layer.succeed(RequestLog, writeRequest(logLevel))
    )
  )
)
