import { readdirSync, readFileSync } from "node:fs"
import { assert } from "@effect/vitest"
import { Cause, Effect, Exit, Inspectable, Layer, Logger, Redacted, References, Tracer } from "effect"
import * as SmtpMailer from "../../src/mail/SmtpMailer.ts"
import { deliverDue } from "../../src/mail/MailWorker.ts"
import { RequestLog } from "../../src/observability/Logging.ts"
import type { Payments } from "../../src/orders/payments/Payments.ts"
import type { Settings } from "../../src/Settings.ts"
import { applicationOn, temporaryDirectory } from "./Application.ts"
import { server } from "./Http.ts"
import { withMailer } from "./Mail.ts"
import { linkOf, smtpPassword, smtpServer } from "./Smtp.ts"

/** The status of a span as exporters see it. */
const failureOf = ({ status }: Tracer.Span) =>
  status._tag === "Ended" && Exit.isFailure(status.exit) ? Cause.pretty(status.exit.cause) : ""

const textOf = (span: Tracer.Span) => Inspectable.toStringUnknown([span.name, ...span.attributes, failureOf(span)])

/** A log, a tracer and a log of requests that keep all they are given. */
const makeRecorder = () => {
  const lines: Array<string> = []
  const spans: Array<Tracer.Span> = []
  const layer = Layer.mergeAll(
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
  return { lines, spans, layer }
}

/** The places where secrets may leak, and the secrets that must not. */
type Watch = Effect.Success<ReturnType<typeof makeWatch>>

const makeWatch = Effect.fnUntraced(function* (secret: ReadonlyArray<string>) {
  const smtp = yield* smtpServer
  const directory = yield* temporaryDirectory
  const recorder = makeRecorder()
  /** The tokens in emails. */
  const mailed = new Set<string>()
  const secrets = new Set([smtpPassword, ...secret])
  return {
    smtp,
    directory,
    recorder,
    mailed,
    secrets,
    /** The responses in which no secret may be: those that reveal none. */
    responses: new Array<string>(),
    /** The traces so far, as text. */
    traced: () => recorder.spans.map(textOf).join("\n"),
    /** Delivers due emails, and returns the token of the newest one. */
    deliver: Effect.gen(function* () {
      yield* Effect.repeat(deliverDue, { while: (tried) => tried > 0 })
      const token =
        linkOf(smtp.messages.at(-1) ?? "")
          .split("/")
          .at(-1) ?? ""
      assert.lengthOf(token, 43)
      secrets.add(token)
      mailed.add(token)
      return token
    }),
    /** Finds the key that a response reveals. */
    keyIn: (text: string) => {
      const key = /ofk_test_\w{38}/.exec(text)?.[0] ?? assert.fail(`No key in ${text}`)
      secrets.add(key)
      return key
    }
  }
})

/** Checks that no secret is anywhere but in the responses and emails that reveal it. */
const check = ({ directory, mailed, recorder, responses, secrets, smtp, traced }: Watch) => {
  const stored = readdirSync(directory)
    .map((file) => readFileSync(`${directory}/${file}`, "latin1"))
    .join("\n")
  assert.include(stored, "@example.com")
  assert.isNotEmpty(recorder.lines)
  assert.isNotEmpty(recorder.spans)
  const places = {
    logs: recorder.lines.join("\n"),
    spans: traced(),
    database: stored,
    mails: smtp.messages.map((message) => message.replaceAll("=\r\n", "")).join("\n")
  }
  for (const secret of secrets) {
    for (const [place, text] of Object.entries(places)) {
      if (place !== "mails" || !mailed.has(secret)) assert.notInclude(text, secret, place)
    }
    // A response may repeat the name of an unknown field, which the caller sent in the body.
    const repeated = responses.filter((text) => text.includes(secret) && !text.includes('"code":"unknown_field"'))
    assert.deepStrictEqual(repeated, [])
  }
}

/**
 * Uses a server with its database in a file, whose emails go to an SMTP server, and checks that no secret leaks: not
 * the one of that server, none that `use` notes, and none of `secrets`.
 */
export const watched = <E, R>(
  use: (watch: Watch) => Effect.Effect<void, E, R>,
  {
    payments,
    secrets = []
  }: { readonly payments?: Layer.Layer<Payments, never, Settings>; readonly secrets?: ReadonlyArray<string> } = {}
) =>
  Effect.gen(function* () {
    const watch = yield* makeWatch(secrets)
    const { directory, recorder, smtp } = watch
    const smtpUrl = Redacted.make(smtp.url.replace("smtp://", `smtp://me:${smtpPassword}@`))
    const application = applicationOn(`sqlite:${directory}/canary.db`, payments && { payments })
    const mailer = SmtpMailer.layer(smtpUrl, { name: "", address: "no-reply@forecast.example" })
    const layer = withMailer(mailer, server.pipe(Layer.provideMerge(application))).pipe(
      Layer.provideMerge(recorder.layer)
    )
    // The files are read while the database is open.
    const whole = Effect.tap(use(watch), () => Effect.sync(() => check(watch)))
    yield* whole.pipe(Effect.provide(layer))
  })
