import { assert, describe, layer } from "@effect/vitest"
import { Effect } from "effect"
import { httpApplication, issueKey, sendRaw } from "../../support/Http.ts"
import { sample } from "../../support/Samples.ts"

const body = JSON.stringify(sample)

const statusesOf = (responses: string) => [...responses.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status)

/** A request with a JSON body, as text. */
const requestOf = (target: string, { close = true, secret = "", text = body } = {}) =>
  [
    `POST ${target} HTTP/1.1`,
    "Host: a",
    "Content-Type: application/json",
    `Content-Length: ${Buffer.byteLength(text)}`,
    ...(secret === "" ? [] : [`X-Api-Key: ${secret}`]),
    ...(close ? ["Connection: close"] : []),
    "",
    text
  ].join("\r\n")

describe("an endpoint that is answered without the router", () => {
  layer(httpApplication())((it) => {
    it.effect("is found at every target that names its path, and at no other spelling", () =>
      Effect.gen(function* () {
        const secret = (yield* issueKey()).secret
        const answered = (target: string) => Effect.map(sendRaw(requestOf(target, { secret })), statusesOf)
        for (const target of [
          "/api/v1/forecast",
          "/api/v1/forecast?a=/b",
          "http://a/api/v1/forecast",
          "http://a/api/v1/forecast?a"
        ]) {
          assert.deepStrictEqual(yield* answered(target), ["200"], target)
        }
        for (const target of [
          "/api/v1/forecast/",
          "//api/v1/forecast",
          "/API/v1/forecast",
          "/api/v1/forecast;a",
          "http://a//api/v1/forecast"
        ]) {
          assert.match((yield* answered(target)).join(), /^40[04]$/, target)
        }
      })
    )

    it.effect(
      "refuses a request without a key before its body arrives, and answers the next one on the connection",
      () =>
        Effect.gen(function* () {
          const refused = requestOf("/api/v1/forecast", { close: false, text: `${body}${" ".repeat(40_000)}` })
          const responses = yield* sendRaw(refused + requestOf("/api/v1/forecast"))
          assert.deepStrictEqual(statusesOf(responses), ["401", "401"])
        })
    )

    it.effect(
      "answers a request without a body behind another one, and refuses a body by its headers before it arrives",
      () =>
        Effect.gen(function* () {
          const { secret } = yield* issueKey()
          const path = "/api/v1/forecast"
          const first = requestOf(path, { close: false, secret })
          // Once its key is known, a request waits for its body.
          assert.deepStrictEqual(statusesOf(yield* sendRaw(requestOf(path, { secret }))), ["200"])
          for (const empty of [
            requestOf(path, { close: false, secret, text: "" }),
            `POST ${path} HTTP/1.1\r\nHost: a\r\nX-Api-Key: ${secret}\r\n\r\n`,
            requestOf(path, { close: false, secret, text: "" }).replace(
              "Content-Length: 0",
              "Transfer-Encoding: chunked"
            ) + "0\r\n\r\n"
          ]) {
            assert.match(
              statusesOf(yield* sendRaw(first + empty + requestOf(path, { secret }))).join(),
              /^200,4\d\d,200$/
            )
          }
          const unsent = requestOf(path, { secret, text: "" })
          const refused = [
            [unsent.replace("Content-Length: 0", "Content-Length: 70000"), "413"],
            [unsent.replace("Content-Length: 0", "Content-Length: 9").replace("application/json", "text/plain"), "415"]
          ] as const
          for (const [text, status] of refused) assert.deepStrictEqual(statusesOf(yield* sendRaw(text)), [status])
        })
    )
  })
})
