import { Context, Effect, Metric, Random, References } from "effect"

/** The share of batches and requests with spans, from 0 to 1; 0 if there is no collector. */
export const SampledShare = Context.Reference<number>("outreach-forecast/observability/SampledShare", {
  defaultValue: () => 0
})

/** Creates a root span for an effect that is sampled; another one has no spans at all, not even nested ones. */
export const inSample =
  (isSampled: boolean, name: string, attributes: Readonly<Record<string, string | number>>) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    isSampled
      ? Effect.withSpan(effect, name, { attributes, root: true })
      : Effect.provideService(effect, References.TracerEnabled, false)

/** The same for a share of the runs of an effect. */
export const sampled =
  (name: string, attributes: Readonly<Record<string, string | number>>) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.flatMap(SampledShare, (share) =>
      share === 0 ? effect : Effect.flatMap(Random.next, (drawn) => inSample(drawn < share, name, attributes)(effect))
    )

/** The boundaries in seconds that the OpenTelemetry conventions recommend for the duration of HTTP requests. */
const seconds = Metric.boundariesFromIterable([
  0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10
])

const nowhere = Context.empty()

const prometheusNames = new Map<string, string>()

/** The name of a metric for Prometheus, whose conventions require units, and `_total` for counters. */
export const prometheusName = (name: string): string => prometheusNames.get(name) ?? name

interface Options {
  /** The name for Prometheus, or only its end, which starts with an underscore. */
  readonly prometheus?: string
  /** The names of the attributes: the metric has one series for each combination of their values. */
  readonly by?: ReadonlyArray<string>
}

/** Creates a plain function that updates a metric, in the series with these values of its attributes. */
const updating = <State>(
  name: string,
  { by = [], prometheus = name }: Options,
  make: (attributes: Readonly<Record<string, string>>) => Metric.Metric<number, State>
) => {
  prometheusNames.set(name, prometheus.startsWith("_") ? name + prometheus : prometheus)
  const series = new Map<string, Metric.Metric<number, State>>()
  return (input: number, ...values: ReadonlyArray<string>): void => {
    const key = values.join(" ")
    let metric = series.get(key)
    if (metric === undefined) {
      metric = make(Object.fromEntries(by.map((name, i) => [name, values[i] ?? ""])))
      series.set(key, metric)
    }
    metric.updateUnsafe(input, nowhere)
  }
}

const counter = (name: string, description: string, options: Options = {}) =>
  updating(name, { prometheus: "_total", ...options }, (attributes) =>
    Metric.counter(name, { description, incremental: true, attributes })
  )

const gauge = (name: string, description: string, options: Options = {}) =>
  updating(name, options, (attributes) => Metric.gauge(name, { description, attributes }))

const histogram = (name: string, description: string, boundaries: ReadonlyArray<number>, options: Options = {}) =>
  updating(name, options, (attributes) => Metric.histogram(name, { description, boundaries, attributes }))

/** The duration of a request in seconds, by method, route (empty if there is none) and status. */
export const requestDuration = histogram(
  "http.server.request.duration",
  "Seconds from a request to the end of its response.",
  seconds,
  { prometheus: "_seconds", by: ["http.request.method", "http.route", "http.response.status_code"] }
)

/** Refusals by the code of their problem. */
export const refusals = counter("outreach_forecast.refusals", "Refused requests, by the code of their problem.", {
  by: ["code"]
})

export const batchSize = histogram(
  "outreach_forecast.batch.size",
  "Requests charged together.",
  Metric.boundariesFromIterable([1, 2, 4, 8, 16, 32, 64, 128, 256])
)

export const batchDuration = histogram("outreach_forecast.batch.duration", "Seconds to charge a batch.", seconds, {
  prometheus: "_seconds"
})

export const requestsWaiting = gauge("outreach_forecast.requests.waiting", "Requests waiting to be charged.")

export const creditsCharged = counter("outreach_forecast.credits.charged", "Credits charged.")

export const creditsGranted = counter("outreach_forecast.credits.granted", "Credits granted.")

/** Emails that were rejected or ran out of attempts; the number of dead ones falls when one is retried. */
export const mailsRejected = counter("outreach_forecast.mails.rejected", "Emails that could not be delivered.")

export const keylessMails = counter(
  "outreach_forecast.mails.keyless",
  "Emails for requests without a key: sent, and refused because of the limit of all clients.",
  { by: ["result"] }
)

/** In seconds. */
export const oldestMail = gauge(
  "outreach_forecast.mails.oldest_queued",
  "Age of the oldest queued email, in seconds; 0 if there is none.",
  { prometheus: "_seconds" }
)

export const mails = gauge("outreach_forecast.mails", "Emails that are queued or dead, by state.", { by: ["state"] })

export const orders = gauge("outreach_forecast.orders", "Orders that await payment, by state.", { by: ["state"] })

export const ordersOverdue = gauge(
  "outreach_forecast.orders.overdue",
  "Orders not confirmed, or whose email was not sent, a business day after they were placed or paid."
)

/** Unix time in seconds. */
export const ledgerVerified = gauge(
  "outreach_forecast.ledger.verified",
  "The time of the last ledger check, in Unix seconds.",
  { prometheus: "_timestamp_seconds" }
)

export const ledgerFaults = gauge("outreach_forecast.ledger.faults", "Faults found by the last ledger check.")

/** 1 if the database works, otherwise 0. */
export const databaseUp = gauge("outreach_forecast.database.up", "1 if the database works, otherwise 0.")

export const databaseSize = gauge(
  "outreach_forecast.database.size",
  "Bytes of the database (main) and of SQLite's write-ahead log (wal).",
  { prometheus: "_bytes", by: ["file"] }
)

export const diskFree = gauge("outreach_forecast.disk.free", "Free bytes on the disk of the database.", {
  prometheus: "_bytes"
})

export const connections = gauge("outreach_forecast.connections", "Open connections to the public listener.")

/** Always 1, with the running version as an attribute. */
export const version = gauge("outreach_forecast.version", "The running version.", { by: ["version"] })

/** Unix time in seconds. */
export const startTime = gauge("process.start_time", "The start time of the process, in Unix seconds.", {
  prometheus: "_seconds"
})

/** In seconds; each update adds to it. */
export const cpuTime = counter("process.cpu.time", "CPU seconds used by the process.", {
  prometheus: "process_cpu_seconds_total"
})

export const heapUsed = gauge("v8js.memory.heap.used", "Bytes of the JavaScript heap in use.", {
  prometheus: "nodejs_heap_used_bytes"
})

export const residentMemory = gauge("process.memory.usage", "Bytes of physical memory in use.", {
  prometheus: "process_resident_memory_bytes"
})

export const eventLoopDelay = gauge(
  "nodejs.eventloop.delay",
  "Delay of the event loop in seconds since the last measurement, by quantile.",
  { prometheus: "_seconds", by: ["quantile"] }
)
