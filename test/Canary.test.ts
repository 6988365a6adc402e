import { readdirSync, readFileSync } from "node:fs"
import { assert, describe, it } from "@effect/vitest"
import { Cause, Effect, Exit, Inspectable, Layer, Logger, Redacted, References, Tracer } from "effect"
import { RequestLog } from "../src/observability/Logging.ts"
import * as SmtpMailer from "../src/mail/SmtpMailer.ts"
import { deliverDue } from "../src/mail/MailWorker.ts"
import { ApiKeys } from "../src/keys/ApiKeys.ts"
import { Mails } from "../src/mail/Mails.ts"
import { Notices } from "../src/extensions/notices/Notices.ts"
import { applicationOn, temporaryDirectory } from "./support/Application.ts"
import { post, send, server } from "./support/Http.ts"
import {
  deliver as deliverEvent,
  FakeStripe,
  stripeEvent,
  stripePayments,
  stripeSecrets
} from "./extensions/support/Stripe.ts"
import { linkOf, smtpPassword, smtpServer } from "./support/Smtp.ts"
import { withMailer } from "./support/Mail.ts"
import { slowly } from "./support/slowly.ts"

/** The status of a span as exporters see it. */
const failureOf = ({ status }: Tracer.Span) =>
  status._tag === "Ended" && Exit.isFailure(status.exit) ? Cause.pretty(status.exit.cause) : ""

describe("secrets", slowly, () => {
  it.effect(
    "appear only in responses and emails; logs, spans, errors and database files have their hashes at most",
    () =>
      Effect.gen(function* () {
        const smtp = yield* smtpServer
        const directory = yield* temporaryDirectory
        const lines: Array<string> = []
        const spans: Array<Tracer.Span> = []
        const recorder = Layer.mergeAll(
          Logger.layer([
            Logger.make<unknown, void>(({ cause, fiber, message }) => {
              const annotations = fiber.getRef(References.CurrentLogAnnotations)
              lines.push(Inspectable.toStringUnknown([message, annotations, Cause.pretty(cause)]))
            })
          ]),
          Layer.succeed(References.MinimumLogLevel, "All"),
          Layer.succeed(RequestLog, (request) => lines.push(JSON.stringify(request))),
          Layer.succeed(
            Tracer.Tracer,
            Tracer.make({
              span: (options) => {
                const span = new Tracer.NativeSpan(options)
                spans.push(span)
                return span
              }
            })
          )
        )
        const smtpUrl = Redacted.make(smtp.url.replace("smtp://", `smtp://me:${smtpPassword}@`))
        const application = applicationOn(`sqlite:${directory}/canary.db`, { payments: stripePayments })
        const mailer = SmtpMailer.layer(smtpUrl, { name: "", address: "no-reply@forecast.example" })
        const layer = withMailer(mailer, server.pipe(Layer.provideMerge(application))).pipe(
          Layer.provideMerge(FakeStripe.layer),
          Layer.provideMerge(recorder)
        )

        yield* Effect.gen(function* () {
          const mails = yield* Mails
          const responses: Array<string> = []
          const secrets = new Set<string>([smtpPassword, ...Object.values(stripeSecrets)])
          const request = post("/api/v1/access-requests", {
            body: JSON.stringify({ name: "Ada", email: "ada@example.com", company: "Example" })
          })
          const confirm = (token: string) =>
            post("/api/v1/access-requests/confirm", { body: JSON.stringify({ token }) })
          /** Delivers due emails, and returns the token of the newest one. */
          const deliver = Effect.gen(function* () {
            yield* Effect.repeat(deliverDue, { while: (tried) => tried > 0 })
            const token =
              linkOf(smtp.messages.at(-1) ?? "")
                .split("/")
                .at(-1) ?? ""
            assert.lengthOf(token, 43)
            secrets.add(token)
            return token
          })
          const keyIn = (text: string) => {
            const key = /ofk_test_\w{38}/.exec(text)?.[0] ?? assert.fail(`No key in ${text}`)
            secrets.add(key)
            return key
          }

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
          for (const status of [201, 409]) {
            const named = yield* post("/api/v1/sub-keys", { key, body: JSON.stringify({ name: "Canary & Sons" }) })
            assert.strictEqual(named.status, status)
          }
          yield* post("/api/v1/forecast", { key })
          const signedIn = yield* send("/key", {
            method: "POST",
            headers: { "sec-fetch-site": "same-origin" },
            body: new URLSearchParams({ api_key: key })
          })
          const cookie = /^session=([\w-]{43});/.exec(signedIn.headers.get("set-cookie") ?? "")?.[1] ?? ""
          assert.strictEqual(signedIn.status, 303)
          secrets.add(cookie)
          for (const path of ["/key", "/key/ledger.csv", `/key/${cookie}`]) {
            responses.push((yield* send(path, { headers: { cookie: `session=${cookie}` } })).text)
          }
          responses.push((yield* confirm(token)).text, (yield* send(`/confirm/${token}`)).text)
          const rotated = keyIn((yield* post("/api/v1/keys/rotate", { key, body: "{}" })).text)
          yield* request
          const second = yield* deliver
          const replaced = keyIn((yield* confirm(second)).text)
          yield* post("/api/v1/forecast", { key: replaced })
          responses.push((yield* post("/api/v1/keys/revoke", { key: replaced, body: "" })).text)
          responses.push((yield* post("/api/v1/forecast", { key: rotated })).text)

          // A payment that Stripe refuses quoting the key, one that it opens, and valid and invalid messages.
          const { response } = yield* FakeStripe
          const ordered = { pack: "starter", name: "Eve", email: "eve@example.com", company: "Example" }
          const order = post("/api/v1/orders", { body: JSON.stringify(ordered) })
          response.status = 400
          responses.push((yield* order).text)
          response.status = 200
          const { json, text } = yield* order
          const session = {
            id: /cs_test_\d+/.exec(text)?.[0],
            payment_status: "paid",
            amount_total: 1900,
            currency: "usd",
            metadata: { order_id: json["order_id"] }
          }
          const orderSecret = yield* deliver
          const orderPath = `/orders/${String(json["order_id"])}`
          assert.strictEqual((yield* send(`${orderPath}/${orderSecret}`)).status, 200)
          for (const wrong of [`/${orderSecret}x`, `/${orderSecret}/more`, `?secret=${orderSecret}`]) {
            const response = yield* send(orderPath + wrong)
            assert.strictEqual(response.status, 404)
            responses.push(response.text)
          }
          const event = stripeEvent("evt_1", "checkout.session.completed", session)
          responses.push(text, (yield* deliverEvent(event, { secret: "whsec_other" })).text)
          responses.push((yield* deliverEvent({ ...event, type: stripeSecrets.webhookSecret })).text)
          assert.strictEqual((yield* deliverEvent(event)).status, 200)
          const third = yield* deliver
          keyIn((yield* confirm(third)).text)

          // A low-credit notice, whose link is used correctly and wrongly.
          const bob = { name: "Bob", email: "bob@example.com", company: "Example" }
          const issued = Redacted.value((yield* (yield* ApiKeys).issue(bob, 1)).secret)
          secrets.add(issued)
          yield* post("/api/v1/forecast", { key: issued })
          yield* (yield* Notices).queueDue
          const unsubscribing = yield* deliver
          for (const [path, method, status] of [
            ["", "GET", 200],
            ["", "POST", 200],
            ["", "DELETE", 405],
            ["x", "POST", 404],
            ["/more", "GET", 404]
          ] as const) {
            const response = yield* send(`/unsubscribe/${unsubscribing}${path}`, { method })
            assert.strictEqual(response.status, status)
            responses.push(response.text)
          }

          assert.strictEqual(secrets.size, 15)
          assert.isAbove(lines.length, 20)
          assert.isAbove(spans.length, 100)
          const traced = spans.map((span) =>
            Inspectable.toStringUnknown([span.name, ...span.attributes, failureOf(span)])
          )
          assert.notInclude(traced.join("\n"), "Canary & Sons")
          const stored = readdirSync(directory)
            .map((file) => readFileSync(`${directory}/${file}`, "latin1"))
            .join("\n")
          assert.include(stored, "ada@example.com")
          const mailed = smtp.messages.map((message) => message.replaceAll("=\r\n", "")).join("\n")
          for (const secret of secrets) {
            assert.notInclude(lines.join("\n"), secret, "logs")
            assert.notInclude(traced.join("\n"), secret, "spans")
            assert.notInclude(stored, secret, "database")
            if (![token, second, third, orderSecret, unsubscribing].includes(secret))
              assert.notInclude(mailed, secret, "mails")
          }
          // A response may repeat the name of an unknown field, which the caller sent in the body.
          for (const secret of secrets) {
            const repeated = responses.filter(
              (text) => text.includes(secret) && !text.includes('"code":"unknown_field"')
            )
            assert.deepStrictEqual(repeated, [])
          }
        }).pipe(Effect.provide(layer))
      })
  )
})
