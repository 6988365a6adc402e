import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { deliverDue } from "../src/mail/MailWorker.ts"
import { Mails } from "../src/mail/Mails.ts"
import { Orders } from "../src/orders/Orders.ts"
import { watched } from "./support/Canary.ts"
import { post, send } from "./support/Http.ts"
import { slowly } from "./support/slowly.ts"

const request = post("/api/v1/access-requests", {
  body: JSON.stringify({ name: "Ada", email: "ada@example.com", company: "Example" })
})
const confirm = (token: string) => post("/api/v1/access-requests/confirm", { body: JSON.stringify({ token }) })

describe("secrets", slowly, () => {
  it.effect(
    "appear only in responses and emails; logs, spans, errors and database files have their hashes at most",
    () =>
      watched(({ deliver, keyIn, recorder, responses, secrets, smtp }) =>
        Effect.gen(function* () {
          const mails = yield* Mails
          // An email that is refused with its own link in the response, and retried.
          yield* request
          smtp.behaviours.push("quote")
          yield* deliverDue
          const [refused] = yield* mails.list("dead", 1)
          assert.include(refused?.lastError, "no links as in (the link)")
          yield* mails.retry(refused?.id ?? "")
          const token = yield* deliver

          // Each endpoint that takes or shows a token or a key, succeeding and failing.
          assert.strictEqual((yield* send(`/confirm/${token}`)).status, 200)
          const page = yield* send(`/confirm/${token}`, { method: "POST" })
          const void_ = keyIn(page.text)
          const key = keyIn((yield* confirm(token)).text)
          for (const secret of [void_, key, `${key}x`, token]) {
            responses.push((yield* post("/api/v1/forecast", { key: secret, body: `{"${secret}":1}` })).text)
            responses.push(
              (yield* send(`/api/v1/usage?x-api-key=${secret}`, { headers: { "x-api-key": secret } })).text
            )
            responses.push((yield* send(`/confirm/${secret}/more`)).text)
            responses.push((yield* send(`/confirm/${secret}`, { method: "DELETE" })).text)
            responses.push((yield* confirm(`${secret}x`)).text)
            responses.push((yield* send(`/api/v1/orders/${secret}`, { headers: { "x-api-key": key } })).text)
          }
          yield* post("/api/v1/forecast", { key })
          responses.push((yield* confirm(token)).text, (yield* send(`/confirm/${token}`)).text)
          const rotated = keyIn((yield* post("/api/v1/keys/rotate", { key, body: "{}" })).text)
          yield* request
          const second = yield* deliver
          const replaced = keyIn((yield* confirm(second)).text)
          yield* post("/api/v1/forecast", { key: replaced })
          responses.push((yield* post("/api/v1/keys/revoke", { key: replaced, body: "" })).text)
          responses.push((yield* post("/api/v1/forecast", { key: rotated })).text)

          // An order, whose page is opened correctly and wrongly, and the link to the key that gets its credits.
          const ordered = { pack: "starter", name: "Eve", email: "eve@example.com", company: "Example" }
          const { json, text } = yield* post("/api/v1/orders", { body: JSON.stringify(ordered) })
          responses.push(text)
          const id = String(json["order_id"])
          const orderSecret = yield* deliver
          assert.strictEqual((yield* send(`/orders/${id}/${orderSecret}`)).status, 200)
          for (const wrong of [`/${orderSecret}x`, `/${orderSecret}/more`, `?secret=${orderSecret}`]) {
            const response = yield* send(`/orders/${id}${wrong}`)
            assert.strictEqual(response.status, 404)
            responses.push(response.text)
          }
          yield* (yield* Orders).fulfil(id, { reference: "bank 1", paidAt: 0 })
          const third = yield* deliver
          keyIn((yield* confirm(third)).text)

          assert.strictEqual(secrets.size, 10)
          assert.isAbove(recorder.lines.length, 20)
          assert.isAbove(recorder.spans.length, 100)
        })
      )
  )
})
