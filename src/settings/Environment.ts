import { Effect, Option, Redacted, Schema } from "effect"
import { isLoopback } from "./Listening.ts"
import { check, integer, report, secret, text } from "./Variable.ts"

/** `production` accepts only live keys and no demo key; the others accept test keys and the demo key. */
export type Environment = "development" | "test" | "production"

const Environment = Schema.Literals(["development", "test", "production"])

/** Reads APP_ENV. */
export const environment = Effect.gen(function* () {
  const given = yield* text("APP_ENV")
  const known = Option.flatMap(given, Schema.decodeUnknownOption(Environment))
  if (Option.isSome(given) && Option.isNone(known)) {
    yield* report("APP_ENV must be development, test or production")
  }
  return { environment: Option.getOrElse(known, (): Environment => "development"), isSet: Option.isSome(given) }
})

/** The key that is accepted outside production without having been issued, and its balance at each start. */
export interface DemoKey {
  readonly secret: Redacted.Redacted
  readonly credits: number
}

/** The demo key that everybody knows. */
const knownDemoKey = "demo"

const isKey = (key: Redacted.Redacted) => /^[A-Za-z0-9._~-]{1,200}$/.test(Redacted.value(key))

/** Reads DEMO_KEY and DEMO_CREDITS; neither may be set in production. */
export const demoKey = Effect.fnUntraced(function* (isProduction: boolean) {
  const key = yield* secret("DEMO_KEY").pipe(
    check("DEMO_KEY", isKey, "have 1 to 200 characters: letters, digits, dots, underscores, tildes and hyphens")
  )
  const credits = yield* integer("DEMO_CREDITS", 0, 1_000_000_000, "an integer from 0 to 1000000000")
  if (isProduction) {
    if (Option.isSome(key)) yield* report("DEMO_KEY must not be set in production: no demo key is accepted there")
    if (Option.isSome(credits)) yield* report("DEMO_CREDITS must not be set in production: there is no demo key")
    return Option.none<DemoKey>()
  }
  return Option.some<DemoKey>({
    secret: Option.getOrElse(key, () => Redacted.make(knownDemoKey)),
    credits: Option.getOrElse(credits, () => 100)
  })
})

/** Reports an APP_ENV that is not set, and probably forgotten: others may reach the service and know its demo key. */
export const checkEnvironment = Effect.fnUntraced(function* (settings: {
  readonly demoKey: Option.Option<DemoKey>
  readonly host: string
  readonly publicUrl: Option.Option<string>
}) {
  const { demoKey, host } = settings
  if (!Option.exists(demoKey, ({ secret }) => Redacted.value(secret) === knownDemoKey)) return
  const publicUrl = Option.filter(settings.publicUrl, (url) => /^https:/i.test(url))
  if (Option.isNone(publicUrl) && isLoopback(host)) return
  const reached = Option.match(publicUrl, { onNone: () => `HOST=${host}`, onSome: (url) => `PUBLIC_URL=${url}` })
  yield* report(
    `APP_ENV must be set because others may reach the service at ${reached}: to production, or to development, which accepts the key ${knownDemoKey} and logs the links of emails`
  )
})
