import { Context, Metric } from "effect"

/** Seconds, as the OpenTelemetry conventions have them for the duration of HTTP requests. */
const seconds = Metric.boundariesFromIterable([
  0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10
])

const nowhere = Context.empty()

/** A metric that has one series for each combination of attributes, and is updated by a plain function. */
const labelled = <Input, State>(
  make: (attributes: Readonly<Record<string, string>>) => Metric.Metric<Input, State>,
  ...names: ReadonlyArray<string>
) => {
  const series = new Map<string, Metric.Metric<Input, State>>()
  return (input: Input, ...values: ReadonlyArray<string>): void => {
    const key = values.join(" ")
    let metric = series.get(key)
    if (metric === undefined) {
      metric = make(Object.fromEntries(names.map((name, i) => [name, values[i] ?? ""])))
      series.set(key, metric)
    }
    metric.updateUnsafe(input, nowhere)
  }
}

/** A metric that is updated by a plain function. */
const plain =
  <Input, State>(metric: Metric.Metric<Input, State>) =>
  (input: Input): void =>
    metric.updateUnsafe(input, nowhere)

const counter = (name: string, description: string) => (attributes?: Readonly<Record<string, string>>) =>
  Metric.counter(name, { description, incremental: true, attributes })

const gauge = (name: string, description: string) => (attributes?: Readonly<Record<string, string>>) =>
  Metric.gauge(name, { description, attributes })

const histogram =
  (name: string, description: string, boundaries: ReadonlyArray<number>) =>
  (attributes?: Readonly<Record<string, string>>) =>
    Metric.histogram(name, { description, boundaries, attributes })

/** Seconds that an answer took, by method, route (empty where there is none) and status. */
export const requestDuration = labelled(
  histogram("http.server.request.duration", "Seconds from a request to the end of its answer.", seconds),
  "http.request.method",
  "http.route",
  "http.response.status_code"
)

/** Refusals by the code of their problem. */
export const refusals = labelled(
  counter("outreach_forecast.refusals", "Requests that were refused, by the code of their problem."),
  "code"
)

export const batchSize = plain(
  histogram(
    "outreach_forecast.batch.size",
    "Requests that were charged together.",
    Metric.boundariesFromIterable([1, 2, 4, 8, 16, 32, 64, 128, 256])
  )()
)

export const batchDuration = plain(
  histogram("outreach_forecast.batch.duration", "Seconds that charging a batch took.", seconds)()
)

export const requestsWaiting = plain(gauge("outreach_forecast.requests.waiting", "Requests that wait to be charged.")())

export const creditsCharged = plain(counter("outreach_forecast.credits.charged", "Credits that were charged.")())

export const creditsGranted = plain(counter("outreach_forecast.credits.granted", "Credits that were given.")())

/** A mail that was rejected for good or has run out of attempts: the number of dead mails sinks when one is retried. */
export const mailsRejected = plain(counter("outreach_forecast.mails.rejected", "Mails that could not be delivered.")())

/** In seconds. */
export const oldestMail = plain(
  gauge("outreach_forecast.mails.oldest_queued", "Age of the oldest mail that is queued, in seconds; 0 if none is.")()
)

export const mails = labelled(gauge("outreach_forecast.mails", "Mails in the outbox, by state."), "state")

export const orders = labelled(gauge("outreach_forecast.orders", "Orders, by state."), "state")

export const ordersOverdue = plain(
  gauge(
    "outreach_forecast.orders.overdue",
    "Orders that are not confirmed or whose mail is not sent a business day after they were made or paid."
  )()
)

/** Unix time in seconds. */
export const ledgerVerified = plain(
  gauge("outreach_forecast.ledger.verified", "When the ledger was last checked, in Unix seconds.")()
)

export const ledgerFaults = plain(
  gauge("outreach_forecast.ledger.faults", "Faults that the last check of the ledger found.")()
)

/** 1 where the database works, else 0. */
export const databaseUp = plain(gauge("outreach_forecast.database.up", "1 where the database works, else 0.")())

export const databaseSize = labelled(
  gauge("outreach_forecast.database.size", "Bytes of the database (main) and of SQLite's write-ahead log (wal)."),
  "file"
)

export const diskFree = plain(gauge("outreach_forecast.disk.free", "Bytes that are free where the database is.")())

export const connections = plain(
  gauge("outreach_forecast.connections", "Connections to the public listener that are open.")()
)

/** 1, with the version that runs. */
export const version = labelled(gauge("outreach_forecast.version", "The version that runs."), "version")

/** Unix time in seconds. */
export const startTime = plain(gauge("process.start_time", "When the process started, in Unix seconds.")())

/** In seconds; each update adds to it. */
export const cpuTime = plain(counter("process.cpu.time", "Seconds of CPU time that the process has used.")())

export const heapUsed = plain(gauge("v8js.memory.heap.used", "Bytes of the JavaScript heap in use.")())

export const residentMemory = plain(gauge("process.memory.usage", "Bytes of physical memory in use.")())

export const eventLoopDelay = labelled(
  gauge("nodejs.eventloop.delay", "Seconds that the event loop was late since the last look, by quantile."),
  "quantile"
)

/** The names that Prometheus' conventions ask for: units, and `_total` for counters. */
const prometheusNames = new Map([
  ["http.server.request.duration", "http_server_request_duration_seconds"],
  ["outreach_forecast.refusals", "outreach_forecast_refusals_total"],
  ["outreach_forecast.batch.duration", "outreach_forecast_batch_duration_seconds"],
  ["outreach_forecast.credits.charged", "outreach_forecast_credits_charged_total"],
  ["outreach_forecast.credits.granted", "outreach_forecast_credits_granted_total"],
  ["outreach_forecast.ledger.verified", "outreach_forecast_ledger_verified_timestamp_seconds"],
  ["outreach_forecast.database.size", "outreach_forecast_database_size_bytes"],
  ["outreach_forecast.disk.free", "outreach_forecast_disk_free_bytes"],
  ["outreach_forecast.mails.rejected", "outreach_forecast_mails_rejected_total"],
  ["outreach_forecast.mails.oldest_queued", "outreach_forecast_mails_oldest_queued_seconds"],
  ["process.start_time", "process_start_time_seconds"],
  ["process.cpu.time", "process_cpu_seconds_total"],
  ["v8js.memory.heap.used", "nodejs_heap_used_bytes"],
  ["process.memory.usage", "process_resident_memory_bytes"],
  ["nodejs.eventloop.delay", "nodejs_eventloop_delay_seconds"]
])

/** The name of a metric for Prometheus. */
export const prometheusName = (id: string): string => prometheusNames.get(id) ?? id
