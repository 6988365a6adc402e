// Loads a server and prints the figures as JSON. Each connection sends its next request as
// soon as it has the complete response to the previous one. Requests are prebuilt and responses are only framed, so
// that the load does not limit the figures: autocannon takes half as much processor time again for each request, and is
// nearly saturated by bare node:http.
import { randomUUID } from "node:crypto"
import { connect } from "node:net"
import { parseArgs } from "node:util"
import { hasProcessorTimes, machineMillis, processorMillis } from "./cpu.ts"

const { values } = parseArgs({
  options: {
    port: { type: "string", default: "" },
    body: { type: "string", default: "" },
    /** The process whose processor time is measured while requests are counted. */
    watch: { type: "string", default: "" },
    seconds: { type: "string", default: "5" },
    idempotent: { type: "boolean", default: false },
    /**
     * A number in the body, which each request replaces with the next one of as many digits, so that equal requests are
     * far apart.
     */
    vary: { type: "string", default: "" },
    method: { type: "string", default: "POST" },
    path: { type: "string", default: "/api/v1/forecast" },
    /** The status that every response must have. */
    status: { type: "string", default: "200" }
  }
})

/**
 * Time under load that is not counted, in which connections open and the code of the server and of this program is
 * compiled.
 */
const leadMillis = 500

/** Latencies in steps of 10 µs; the last step counts all that are longer. */
const histogram = new Uint32Array(200_000)
const stepsPerMilli = 100

/** The number of requests sent on all connections. */
let sentInTotal = 0
let isCounting = false
let isOver = false
let requests = 0
let errors = 0
let firstError: string | undefined

const fail = (text: string) => {
  errors++
  firstError ??= text
}

const counterDigits = 10
const headerEnd = Buffer.from("\r\n\r\n")

const requestFor = (key: string): Buffer =>
  Buffer.from(
    [
      `${values.method} ${values.path} HTTP/1.1`,
      `Host: 127.0.0.1:${values.port}`,
      // The counter is last on its line and of constant length, because it is written into the bytes.
      ...(values.idempotent ? [`Idempotency-Key: ${randomUUID()}-${"0".repeat(counterDigits)}`] : []),
      ...(key === "" ? [] : [`X-Api-Key: ${key}`]),
      "Content-Type: application/json",
      `Content-Length: ${Buffer.byteLength(values.body)}`,
      "",
      values.body
    ].join("\r\n")
  )

const run = (key: string) => {
  const request = requestFor(key)
  const counterEnd = request.indexOf("\r\nX-Api-Key")
  const varied = values.vary === "" ? -1 : request.indexOf(values.vary, request.indexOf(headerEnd))
  if (values.vary !== "" && varied < 0) throw new Error(`The body has no ${values.vary} to vary`)
  const smallest = 10 ** (values.vary.length - 1)
  let sent = 0
  let started = 0
  let pending = Buffer.alloc(0)

  const send = () => {
    sent++
    sentInTotal++
    if (varied >= 0) request.write(String(smallest + (sentInTotal % (9 * smallest))), varied)
    if (values.idempotent) {
      for (let rest = sent, at = counterEnd - 1; rest > 0; at--, rest = Math.floor(rest / 10))
        request[at] = 48 + (rest % 10)
    }
    started = performance.now()
    socket.write(request)
  }

  const receive = (chunk: Buffer) => {
    const bytes = pending.length === 0 ? chunk : Buffer.concat([pending, chunk])
    const head = bytes.indexOf(headerEnd)
    const text = head < 0 ? "" : bytes.toString("latin1", 0, head)
    const length = /content-length: (\d+)/i.exec(text)?.[1]
    if (head >= 0 && length === undefined) {
      fail(`A response without Content-Length:\n${text}`)
      socket.destroy()
      return
    }
    if (head < 0 || bytes.length < head + headerEnd.length + Number(length)) {
      // The bytes that arrive next overwrite the chunk.
      pending = Buffer.from(bytes)
      return
    }
    pending = Buffer.alloc(0)
    if (isOver) {
      socket.destroy()
      return
    }
    if (!text.startsWith(`HTTP/1.1 ${values.status} `)) fail(bytes.toString())
    if (isCounting) {
      requests++
      const step = Math.min(Math.floor((performance.now() - started) * stepsPerMilli), histogram.length - 1)
      histogram[step] = (histogram[step] ?? 0) + 1
    }
    send()
  }

  const buffer = Buffer.alloc(64 * 1024)
  const socket = connect({
    host: "127.0.0.1",
    port: Number(values.port),
    noDelay: true,
    onread: {
      buffer,
      callback: (count) => {
        receive(buffer.subarray(0, count))
        return true
      }
    }
  })
  socket.on("connect", send)
  socket.on("error", (error) => fail(error.message))
  socket.on("end", () => fail("The server closed a connection"))
}

/** The latency in milliseconds that a share of all requests stayed below. */
const percentile = (share: number): number => {
  let left = requests * share
  const step = histogram.findIndex((count) => (left -= count) <= 0)
  return (step + 1) / stepsPerMilli
}

const pause = (millis: number) => new Promise((resolve) => setTimeout(resolve, millis))

/** Milliseconds of processor time so far. The figure for this program is more precise than the system's. */
const processorTimes = () => {
  const { system, user } = process.cpuUsage()
  return {
    load: (system + user) / 1000,
    server: hasProcessorTimes ? processorMillis(Number(values.watch)) : 0,
    machine: hasProcessorTimes ? machineMillis() : 0
  }
}

// One key per connection.
for (const key of process.env["KEYS"]?.split(",") ?? []) run(key)
await pause(leadMillis)
const before = processorTimes()
isCounting = true
const started = performance.now()
await pause(Number(values.seconds) * 1000)
const millis = performance.now() - started
isCounting = false
const after = processorTimes()
isOver = true
console.log(
  JSON.stringify({
    perSecond: (requests * 1000) / millis,
    p50: percentile(0.5),
    p99: percentile(0.99),
    errors,
    firstError,
    cpu: {
      load: (after.load - before.load) / millis,
      ...(hasProcessorTimes && {
        server: (after.server - before.server) / millis,
        machine: (after.machine - before.machine) / millis
      })
    }
  })
)
