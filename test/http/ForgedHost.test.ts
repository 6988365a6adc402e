import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { HttpServer } from "effect/http"
import * as MailLinks from "../../src/MailLinks.ts"
import { Mailer, Postbox } from "../../src/mail/Mailer.ts"
import * as MailWorker from "../../src/mail/MailWorker.ts"
import { PublicUrl } from "../../src/http/RequestState.ts"
import { httpApplication, sendRaw } from "../support/Http.ts"

/** The headers of a request that name another host in every way. */
const forged = [
  "Host: evil.example",
  "X-Forwarded-Host: evil.example",
  "X-Forwarded-Proto: ftp",
  "X-Forwarded-For: 198.51.100.1",
  "Forwarded: for=198.51.100.1;host=evil.example;proto=ftp",
  "X-Original-URL: http://evil.example/",
  "Connection: close",
  "Content-Type: application/json"
].join("\r\n")

const sendForged = (start: string, body = "") =>
  sendRaw(`${start} HTTP/1.1\r\n${forged}\r\nContent-Length: ${body.length}\r\n\r\n${body}`)

/** The service with its emails in memory, whose links lead to its own address. */
const service = Layer.unwrap(Effect.map(PublicUrl, MailLinks.layer)).pipe(
  Layer.provideMerge(Mailer.layerMemory),
  Layer.provideMerge(httpApplication({ env: { TRUSTED_PROXIES: "127.0.0.1" } }))
)

describe("a host that a request makes up", () => {
  it.effect("is in no email and no response: links lead to the service", () =>
    Effect.gen(function* () {
      const url = HttpServer.formatAddress((yield* HttpServer.HttpServer).address)
      const owner = JSON.stringify({ name: "Ada", email: "ada@people.example", company: "Acme" })
      const responses = yield* Effect.forEach(
        [["POST /api/v1/access-requests", owner], ["GET /nothing"], ["GET /docs"], ["GET /llms.txt"]] as const,
        ([start, body]) => sendForged(start, body)
      )
      yield* MailWorker.deliverDue
      const [letter, ...others] = (yield* Postbox).letters
      assert.deepStrictEqual(others, [])
      assert.include(letter?.link, `${url}/confirm/`)
      assert.include(responses.at(-1), `${url}/api/v1/forecast`)
      for (const text of [...responses, JSON.stringify(letter)]) assert.notMatch(text, /evil\.example|ftp:/)
    }).pipe(Effect.provide(service))
  )
})
