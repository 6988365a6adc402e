import { connect } from "node:net"
import { Effect } from "effect"
import { openClient, pause } from "../../test/support/Sockets.ts"
import {
  type Attack,
  commitsOf,
  countOf,
  descriptorsOf,
  forecast,
  issueKey,
  memoryOf,
  processorMillisOf,
  type Reply,
  sample,
  send
} from "./Attack.ts"

const tunnel = "CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n"
const broken = "HELLO\r\n\r\n"
const large = `GET / HTTP/1.1\r\nHost: a\r\nX-Big: ${"x".repeat(20_000)}\r\n\r\n`
const upgrade = "GET /livez HTTP/1.1\r\nHost: a\r\nConnection: upgrade\r\nUpgrade: websocket\r\n\r\n"

export const resets: Attack = {
  name: "CONNECT and the like, and a reset",
  run: Effect.fnUntraced(function* ({ server }) {
    const firsts = [tunnel, broken, large, upgrade, tunnel + tunnel]
    for (const wait of [0, 20, 50]) {
      const clients = yield* Effect.forEach(
        [...firsts, ...firsts, ...firsts],
        (text) => openClient(server.port, text),
        {
          concurrency: "unbounded"
        }
      )
      yield* pause(wait)
      for (const { socket } of clients) if (socket.writable) socket.write("x")
      yield* pause(wait)
      for (const { socket } of clients) socket.resetAndDestroy()
    }
    yield* pause(50)
    const { status } = yield* send(`${server.url}/livez`)
    return {
      figure: `45 resets, then /livez ${status}`,
      isDefended: status === 200 && server.process.exitCode === null
    }
  })
}

export const slowReaders: Attack = {
  name: "200 connections that request the largest file and do not read it",
  run: Effect.fnUntraced(function* (target) {
    const { server } = target
    const start = yield* send(`${server.url}/`)
    const path = /src="(\/assets\/calculator[^"]+)"/.exec(start.text)?.[1] ?? "/"
    const file = yield* send(`${server.url}${path}`)
    const before = memoryOf(target)
    const request = `GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`.repeat(100)
    yield* Effect.replicateEffect(openClient(server.port, request, { reads: false }), 200, { concurrency: 50 })
    let slowest = 0
    let most = 0
    for (let i = 0; i < 5; i++) {
      const { millis, status } = yield* send(`${server.url}/livez`)
      slowest = Math.max(slowest, status === 200 ? millis : Infinity)
      most = Math.max(most, memoryOf(target) - before)
      yield* pause(50)
    }
    return {
      figure: `${most.toFixed(0)} MB more, slowest /livez ${slowest.toFixed(0)} ms`,
      isDefended: file.status === 200 && most < 100 && slowest < 2000
    }
  })
}

export const refusedConnections: Attack = {
  name: "300 refused connections that stay open",
  run: Effect.fnUntraced(function* (target) {
    const before = descriptorsOf(target)
    const texts = [tunnel, broken, large]
    yield* Effect.forEach(
      Array.from({ length: 300 }, (_, i) => texts[i % texts.length] ?? ""),
      (text) => openClient(target.server.port, text),
      { concurrency: 50 }
    )
    const { status } = yield* send(`${target.server.url}/livez`)
    for (let i = 0; i < 100 && descriptorsOf(target) > before + 3; i++) yield* pause(100)
    const more = Math.max(0, descriptorsOf(target) - before)
    return { figure: `${more} descriptors left, /livez ${status}`, isDefended: status === 200 && more <= 3 }
  })
}

const halfHead = "POST /api/v1/forecast HTTP/1.1\r\nHost: a\r\n"
const halfBody = `${halfHead}x-api-key: demo\r\ncontent-type: application/json\r\ncontent-length: 5000\r\n\r\n{`

const held = 100

export const heldConnections: Attack = {
  name: "all connections silent, trickling half a request, or not reading the response",
  // 900 connections would fill the system's buffers before the service is full.
  env: { MAX_CONNECTIONS: String(held) },
  run: Effect.fnUntraced(function* (target) {
    const { admin, server } = target
    const start = yield* send(`${server.url}/`)
    const path = /src="(\/assets\/calculator[^"]+)"/.exec(start.text)?.[1] ?? "/"
    const unread = `GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`.repeat(100)
    const newcomer = send(`${server.url}/api/v1/forecast`, {
      key: "demo",
      body: sample,
      headers: { connection: "close" }
    })
    const figures: Array<string> = []
    const replies: Array<Reply> = []
    const kinds = { silent: "", "half a head": `${halfHead}X-Long: `, "half a body": halfBody, unread }
    for (const [kind, text] of Object.entries(kinds)) {
      const clients = yield* Effect.forEach(
        Array.from({ length: held }).keys(),
        (i) => openClient(server.port, text, { reads: text !== unread, localAddress: `127.0.2.${1 + (i % 4)}` }),
        { concurrency: 100 }
      )
      // The service has read what they sent, and filled the buffers of those that do not read.
      let busy = Infinity
      while (busy > 20) {
        const before = processorMillisOf(target)
        yield* pause(200)
        busy = processorMillisOf(target) - before
      }
      if (text !== unread) for (const { socket } of clients) if (text !== "" && socket.writable) socket.write("x")
      const served = yield* Effect.replicateEffect(newcomer, 20, { concurrency: 4 })
      figures.push(`${kind} ${countOf(served, 200)}`)
      replies.push(...served)
      for (const { socket } of clients) socket.destroy()
      yield* pause(300)
    }
    replies.push(yield* send(`${admin}/livez`), yield* send(`${admin}/readyz`))
    const [live, ready] = replies.slice(-2).map(({ status }) => status)
    return {
      figure: `of 20 newcomers each, served: ${figures.join(", ")}; the operator's probes ${live} and ${ready}`,
      isDefended: replies.every(({ status }) => status === 200)
    }
  })
}

export const pipelining: Attack = {
  name: "one connection that sends 2,000 forecasts at once",
  run: Effect.fnUntraced(function* (target) {
    const [greedy, honest] = [yield* issueKey(target, "greedy"), yield* issueKey(target, "ada")]
    yield* forecast(target, honest)
    const head = `POST /api/v1/forecast HTTP/1.1\r\nHost: a\r\nx-api-key: ${greedy}\r\ncontent-type: application/json\r\n`
    const { received } = yield* openClient(
      target.server.port,
      `${head}content-length: ${sample.length}\r\n\r\n${sample}`.repeat(2000)
    )
    const replies = yield* Effect.replicateEffect(forecast(target, honest), 20)
    const given = received().split("HTTP/1.1 ").length - 1
    const slowest = Math.max(...replies.map(({ millis }) => millis))
    return {
      figure: `20 answers to another client, the slowest after ${slowest.toFixed(0)} ms, after ${given} of the 2,000`,
      // A service that answered the others only after all of these would have sent 2,000.
      isDefended: countOf(replies, 200) === 20 && given < 500
    }
  })
}

export const probing: Attack = {
  name: "200 calls of /readyz by 16 callers",
  run: Effect.fnUntraced(function* (target) {
    const before = commitsOf(target)
    const started = performance.now()
    const replies = yield* Effect.replicateEffect(send(`${target.server.url}/readyz`), 200, { concurrency: 16 })
    const seconds = (performance.now() - started) / 1000
    const commits = commitsOf(target) - before
    return {
      figure: `${countOf(replies, 200)} answers 200 in ${seconds.toFixed(1)} s, ${commits} durable writes`,
      // One commit per second, plus those of a server that has just started.
      isDefended: countOf(replies, 200) === 200 && commits <= seconds + 10
    }
  })
}

/** One of many clients: sends a request with a mistyped key as soon as the previous one is answered. */
const persistent = (port: number, i: number) =>
  Effect.acquireRelease(
    Effect.sync(() => {
      // On Linux all of 127.0.0.0/8 is local: to the service these are eleven clients.
      const socket = connect({ port, host: "127.0.0.1", localAddress: `127.0.1.${1 + (i % 11)}` })
      const head = `POST /api/v1/forecast HTTP/1.1\r\nHost: a\r\nx-api-key: ofk_test_mistyped${i}\r\n`
      const request = () =>
        socket.write(`${head}content-type: application/json\r\ncontent-length: ${sample.length}\r\n\r\n${sample}`)
      socket.on("error", () => {})
      socket.on("connect", request).on("data", request)
      return socket
    }),
    (socket) => Effect.sync(() => socket.destroy())
  )

export const mistypedCrowd: Attack = {
  name: "1,100 connections with mistyped keys next to an honest client",
  // Otherwise the honest client's next connection would be one too many.
  env: { MAX_CONNECTIONS: "2000" },
  run: Effect.fnUntraced(function* (target) {
    const honest = yield* issueKey(target, "ada")
    yield* forecast(target, honest)
    yield* Effect.forEach(Array.from({ length: 1100 }).keys(), (i) => persistent(target.server.port, i))
    yield* pause(500)
    const replies = yield* Effect.replicateEffect(forecast(target, honest), 200, { concurrency: 4 })
    const slowest = Math.max(...replies.map(({ millis }) => millis))
    return {
      figure: `${countOf(replies, 200)} of 200 answers to it 200, ${countOf(replies, 503)} 503, slowest ${slowest.toFixed(0)} ms`,
      isDefended: countOf(replies, 200) === 200
    }
  })
}
