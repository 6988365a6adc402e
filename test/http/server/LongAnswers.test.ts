import { assert, describe, it } from "@effect/vitest"
import { Array as Arr, Effect } from "effect"
import { temporaryDirectory } from "../../support/Application.ts"
import { logLines, until } from "../../support/Process.ts"
import { measured, sample } from "../../support/Samples.ts"
import { openClient } from "../../support/Sockets.ts"
import { serveWithTurns } from "../../support/Turns.ts"

/** Forecasts that take a few milliseconds to compute, each another one: what was asked lately is not computed again. */
const longOnes = Arr.makeBy(3 * 60, (i) => ({ ...measured, emails_sent: 100_000_000 - i }))

/** How many of them are asked for at the same time. */
const count = longOnes.length / 3

const requestOf = (id: string, fields: object) => {
  const body = JSON.stringify(fields)
  return (
    `POST /api/v1/forecast HTTP/1.1\r\nHost: a\r\nx-api-key: demo\r\nx-request-id: ${id}\r\n` +
    `content-type: application/json\r\ncontent-length: ${body.length}\r\nconnection: close\r\n\r\n${body}`
  )
}

describe("answers that take long", () => {
  it.live("let others pass, and the event loop turn: many forecasts with evidence before one without", () =>
    Effect.gen(function* () {
      const { withTurns, server } = yield* serveWithTurns(yield* temporaryDirectory, { DEMO_CREDITS: "1000" })
      const logged = (name: string) =>
        logLines(server).flatMap(({ request_id: id }) => (String(id).startsWith(name) ? [String(id)] : []))

      /** Sends the long ones and then the short one, all at once on connections that are there; their answers. */
      const ask = Effect.fnUntraced(function* (round: string) {
        const texts = [
          ...longOnes.splice(0, count).map((long, i) => requestOf(`${round}-long-${i}`, long)),
          requestOf(`${round}-short`, sample)
        ]
        const clients = yield* Effect.forEach(texts, () => openClient(server.port, ""))
        for (const [i, { socket }] of clients.entries()) socket.write(texts[i] ?? "")
        yield* until(() => clients.every(({ isClosed }) => isClosed()))
        return clients.map(({ heard }) => heard())
      }, Effect.scoped)

      // What is compiled and connected once.
      for (const round of ["first", "second"]) yield* ask(round)
      const { result: answers, usual } = yield* withTurns(ask("third"))
      for (const answer of answers) assert.match(answer, /^HTTP\/1\.1 200 /)
      for (const answer of answers.slice(0, count)) assert.include(answer, '"basis":"evidence"')
      yield* until(() => logged("third").length === count + 1)
      // In the order in which the server answered, whenever this process came to read it.
      assert.isBelow(logged("third").indexOf("third-short"), count / 2)
      assert.isAbove(usual, 0)
      assert.isBelow(usual, 20)
    })
  )
})
