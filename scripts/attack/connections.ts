import { Effect } from "effect"
import { openClient, pause } from "../../test/support/Sockets.ts"
import { type Attack, countOf, descriptorsOf, forecast, issueKey, memoryOf, sample, send } from "./Attack.ts"

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
  name: "200 connections that ask for the largest file and do not read",
  run: Effect.fnUntraced(function* (target) {
    const { server } = target
    const docs = yield* send(`${server.url}/docs`)
    const path = /src="(\/assets\/scalar[^"]+)"/.exec(docs.text)?.[1] ?? "/docs"
    const file = yield* send(`${server.url}${path}`)
    const before = memoryOf(target)
    const ask = `GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`.repeat(8)
    yield* Effect.replicateEffect(openClient(server.port, ask, { reads: false }), 200, { concurrency: 50 })
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

export const halfRequests: Attack = {
  name: "1,500 connections with half a request",
  run: Effect.fnUntraced(function* ({ admin, server }) {
    const half = "POST /api/v1/forecast HTTP/1.1\r\nHost: a\r\n"
    const clients = yield* Effect.replicateEffect(openClient(server.port, half), 1500, { concurrency: 100 })
    const live = yield* send(`${admin}/livez`)
    const ready = yield* send(`${admin}/readyz`)
    const refused = clients.filter(({ heard }) => heard().startsWith("HTTP/1.1 503")).length
    yield* pause(12_000)
    const later = yield* send(`${server.url}/livez`)
    return {
      figure: `${refused} refused, the operator's probes ${live.status} and ${ready.status}, 12 s later /livez ${later.status}`,
      isDefended: refused > 0 && [live, ready, later].every(({ status }) => status === 200)
    }
  })
}

export const pipelining: Attack = {
  name: "one connection that sends 2,000 forecasts at once",
  run: Effect.fnUntraced(function* (target) {
    const [greedy, honest] = [yield* issueKey(target, "greedy"), yield* issueKey(target, "ada")]
    yield* forecast(target, honest)
    const head = `POST /api/v1/forecast HTTP/1.1\r\nHost: a\r\nx-api-key: ${greedy}\r\ncontent-type: application/json\r\n`
    yield* openClient(target.server.port, `${head}content-length: ${sample.length}\r\n\r\n${sample}`.repeat(2000))
    const replies = yield* Effect.replicateEffect(forecast(target, honest), 20)
    const slowest = Math.max(...replies.map(({ millis }) => millis))
    return {
      figure: `slowest of 20 answers to another client ${slowest.toFixed(0)} ms`,
      isDefended: countOf(replies, 200) === 20 && slowest < 1000
    }
  })
}

export const probing: Attack = {
  name: "16 callers who ask /readyz all the time",
  run: Effect.fnUntraced(function* (target) {
    const key = yield* issueKey(target, "ada")
    const rate = Effect.gen(function* () {
      const started = performance.now()
      const replies = yield* Effect.replicateEffect(forecast(target, key), 300, { concurrency: 8 })
      return (countOf(replies, 200) * 1000) / (performance.now() - started)
    })
    yield* rate
    const alone = yield* rate
    const probe = Effect.forever(send(`${target.admin}/readyz`))
    yield* Effect.forkScoped(
      Effect.all(
        Array.from({ length: 16 }, () => probe),
        { concurrency: "unbounded" }
      )
    )
    const together = yield* rate
    return {
      figure: `${alone.toFixed(0)} forecasts a second, with them ${together.toFixed(0)}`,
      // The callers take their share of this program's and the server's processor.
      isDefended: together > alone / 6
    }
  })
}
