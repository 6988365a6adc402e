import { Cause, Context, Effect, Layer, Logger, LogLevel, References } from "effect"
import { safeJson } from "../text/SafeText.ts"
import { Settings } from "../Settings.ts"
import { isoTime } from "../text/Times.ts"

/** A request that was answered, or whose client disconnected (499). Unknown values are left out of its line. */
export interface AnsweredRequest {
  /** Milliseconds UTC. */
  readonly at: number
  readonly requestId: string
  readonly method: string | undefined
  /** The route's template, never the path, which may contain a secret. */
  readonly route: string | undefined
  readonly status: number
  /** The duration in milliseconds; unknown for what never became a request. */
  readonly millis: number | undefined
  /** The first characters of the key; for a refused request, also of an unknown key. */
  readonly key: string | undefined
  /** True if the service found that key. */
  readonly isKeyFound: boolean
  /** The code of the problem of a refusal. */
  readonly code: string | undefined
  /** For a refused request: the network of its client, or a hash of it. */
  readonly client: string | undefined
  /** The reference of the charge in the ledger. */
  readonly charge: string | undefined
}

/**
 * Records the end of a request: writes its log line, and runs what other layers add. A logger would cost ten times as
 * much per request, so this is a plain function; it does nothing unless a log is configured.
 */
export const RequestLog = Context.Reference<(request: AnsweredRequest) => void>(
  "outreach-forecast/observability/RequestLog",
  {
    defaultValue: () => () => {}
  }
)

/**
 * Creates a function that writes a line to standard error. Those of one event loop iteration are written together: the
 * cost of a write hardly depends on its length.
 */
const makeWrite = Effect.gen(function* () {
  let lines = ""
  const flush = () => {
    const text = lines
    lines = ""
    if (text !== "") process.stderr.write(text)
  }
  yield* Effect.acquireRelease(
    Effect.sync(() => process.on("exit", flush)),
    () =>
      Effect.sync(() => {
        process.off("exit", flush)
        flush()
      })
  )
  return (line: string): void => {
    if (lines === "") setImmediate(flush)
    lines += `${line}\n`
  }
})

type Write = Effect.Success<typeof makeWrite>

/** One JSON object per line on standard error; standard output is for what commands print. */
const jsonLines = (write: Write) =>
  Logger.layer([
    Logger.make<unknown, void>(({ cause, date, fiber, logLevel, message }) =>
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
  ])

/** The same without settings, for failures before they are known. */
export const layerWithoutSettings = Layer.unwrap(Effect.map(makeWrite, jsonLines))

/** Formats times. The text of a millisecond is kept: formatting takes as long as the rest of a line. */
const makeFormat = () => {
  let lastAt = -1
  let lastTime = ""
  return (at: number): string => {
    if (at !== lastAt) {
      lastAt = at
      lastTime = isoTime(at)
    }
    return lastTime
  }
}

/** Polled constantly, and not logged while they succeed. */
const probes = new Set<string | undefined>(["/livez", "/readyz"])

const levelOf = (status: number) => (status >= 500 ? "Error" : "Info")

/**
 * Passes on refusals, those of one client with one code at most once per second: the last one, with the number since the
 * one before.
 */
const makeSums = (pass: (request: AnsweredRequest, count?: number) => void) => {
  const sums = new Map<string, { count: number; last?: AnsweredRequest }>()
  const passSum = (name: string) => {
    const { count = 0, last } = sums.get(name) ?? {}
    sums.delete(name)
    if (last === undefined) return
    pass(last, count)
    begin(name)
  }
  const begin = (name: string) => {
    sums.set(name, { count: 0 })
    setTimeout(passSum, 1000, name).unref()
  }
  const add = (request: AnsweredRequest): void => {
    const { client, code, isKeyFound, key } = request
    const name = JSON.stringify([client, code, isKeyFound ? key : undefined])
    const sum = sums.get(name)
    if (sum !== undefined) {
      sum.count++
      sum.last = request
      return
    }
    pass(request)
    begin(name)
  }
  return Effect.as(
    Effect.addFinalizer(() => Effect.sync(() => [...sums.keys()].forEach(passSum))),
    add
  )
}

/** Creates a function that writes request lines at a level and above: a 5xx is an error. */
const makeWriteRequest = Effect.fnUntraced(function* (write: Write, minimum: LogLevel.LogLevel) {
  const format = makeFormat()
  const line = (request: AnsweredRequest, count?: number): void => {
    const { at, charge, client, code, key, method, millis, requestId, route, status } = request
    const level = levelOf(status)
    write(
      JSON.stringify({
        time: format(at),
        level: level.toLowerCase(),
        message: "request",
        request_id: requestId,
        method,
        route,
        status,
        code,
        ms: millis === undefined ? undefined : Math.round(millis * 1000) / 1000,
        key,
        charge,
        client,
        count
      })
    )
  }
  const refused = yield* makeSums(line)
  return (request: AnsweredRequest): void => {
    const { charge, route, status } = request
    if (LogLevel.isGreaterThan(minimum, levelOf(status)) || (status < 400 && probes.has(route))) return
    // An internal error is looked up by its request ID, a charge by its reference.
    if (status < 400 || status === 500 || charge !== undefined) line(request)
    else refused(request)
  }
})

/** Logs JSON lines at the configured level and above. */
export const layer = Layer.unwrap(
  Effect.gen(function* () {
    const { logLevel } = yield* Settings
    const write = yield* makeWrite
    return Layer.mergeAll(
      jsonLines(write),
      Layer.succeed(References.MinimumLogLevel, logLevel),
      Layer.succeed(RequestLog, yield* makeWriteRequest(write, logLevel))
    )
  })
)
