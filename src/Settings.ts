import { Array as Arr, Context, Effect, Layer, type LogLevel, Option, Result, Schema, Struct } from "effect"
import { IpNetwork } from "effect/net"
import { contact } from "./settings/Contact.ts"
import { creditPacksForm, defaultCreditPacks, parseCreditPacks } from "./settings/CreditPack.ts"
import { database } from "./settings/DatabaseSettings.ts"
import { checkEnvironment, demoKey, environment } from "./settings/Environment.ts"
import { listenHost, listenPort } from "./settings/Listening.ts"
import { mail, mailFrom } from "./settings/MailSettings.ts"
import { limits, numbers, retention } from "./settings/Numbers.ts"
import {
  addressWarnings,
  misspellingWarnings,
  productionWarnings,
  type SettingWarning
} from "./settings/SettingWarnings.ts"
import { parseHolidays, seller, checkCurrencies, stripeAccount } from "./settings/Ordering.ts"
import { check, decoded, integer, orElse, parsed, Reading, report, text } from "./settings/Variable.ts"

/** One or more variables are missing, invalid or contradictory; `problems` has a sentence for each. */
export class InvalidSettings extends Schema.TaggedError<InvalidSettings>()("InvalidSettings", {
  problems: Schema.Array(Schema.String)
}) {
  override get message() {
    return `The configuration is invalid:\n${this.problems.map((problem) => `  ${problem}`).join("\n")}`
  }
}

const logLevels = {
  debug: "Debug",
  info: "Info",
  warn: "Warn",
  error: "Error",
  none: "None"
} as const satisfies Record<string, LogLevel.LogLevel>

const parseLogLevel = (name: string) =>
  Option.map(
    Arr.findFirst(Struct.keys(logLevels), (known) => known === name),
    (known): LogLevel.LogLevel => logLevels[known]
  )

const parseNetwork = (address: string) =>
  Result.getSuccess(
    IpNetwork.fromString(address.includes("/") ? address : `${address}/${address.includes(":") ? 128 : 32}`)
  )
const parseNetworks = (list: string): Option.Option<ReadonlyArray<IpNetwork.IpNetwork>> =>
  Option.all(list.split(",").map((address) => parseNetwork(address.trim())))

const LogClients = Schema.String.pipe(Schema.decodeTo(Schema.Literals(["network", "hash"])))

const isPublicUrl = (url: string) => /^https?:$/.test(URL.parse(url)?.protocol ?? "") && !/[?#@\s]/.test(url)

/** Reads PUBLIC_URL, which is required in production. */
const publicUrl = Effect.fnUntraced(function* (isProduction: boolean) {
  const url = yield* text("PUBLIC_URL").pipe(
    check("PUBLIC_URL", isPublicUrl, "be an http or https URL without a query, like https://forecast.example")
  )
  if (isProduction && Option.isNone(url)) {
    yield* report("PUBLIC_URL must be set in production, for example to https://forecast.example")
  }
  return url
})

/** Without a password: the code that reads the URL does not treat it as a secret. */
const collectorUrl = (text: string) =>
  Option.fromNullishOr(URL.parse(text)).pipe(
    Option.filter(({ password, protocol, username }) => /^https?:$/.test(protocol) && username + password === ""),
    Option.map(({ href }) => href.replace(/\/$/, ""))
  )

const Share = Schema.FiniteFromString.check(Schema.isBetween({ minimum: 0, maximum: 1 }))

/** The destination of metrics, logs and traces, from OpenTelemetry's standard variables. */
const telemetry = Effect.gen(function* () {
  return {
    /** The base URL of a collector of OTLP as JSON over HTTP, without a trailing slash; without it, nothing is sent. */
    endpoint: yield* parsed(
      "OTEL_EXPORTER_OTLP_ENDPOINT",
      collectorUrl,
      "the URL of a collector that accepts OTLP over HTTP, without a user name or password, like http://127.0.0.1:4318"
    ),
    /** The share of batches and requests that are traced. */
    sampledShare: yield* decoded("OTEL_TRACES_SAMPLER_ARG", Share, "a number from 0 to 1").pipe(orElse(0.1))
  }
})

/** All settings, with their variables. CONTRIBUTING.md says what a new entry needs. */
const read = Effect.gen(function* () {
  const appEnv = yield* environment
  const isProduction = appEnv.environment === "production"
  const trustedProxies = yield* parsed(
    "TRUSTED_PROXIES",
    parseNetworks,
    "IP addresses or networks, separated by commas"
  ).pipe(orElse<ReadonlyArray<IpNetwork.IpNetwork>>([]))
  const settings = {
    environment: appEnv.environment,
    host: yield* listenHost("HOST"),
    port: yield* listenPort("PORT").pipe(orElse(3000)),
    /** The address of the operator's listener. */
    adminHost: yield* listenHost("ADMIN_HOST"),
    /** Without a port there is no such listener. */
    adminPort: yield* listenPort("ADMIN_PORT"),
    /** The most connections served at a time: with those to databases and files, fewer than 1,024 descriptors. */
    maxConnections: yield* integer("MAX_CONNECTIONS", 1, 1_000_000, "an integer from 1 to 1000000").pipe(orElse(900)),
    /** The base of links in problems and emails, without a trailing slash; by default the address listened on. */
    publicUrl: yield* publicUrl(isProduction),
    database: yield* database(isProduction),
    /** Not set in production. */
    demoKey: yield* demoKey(isProduction),
    /** The delivery of emails. */
    mail: yield* mail,
    /** The sender of emails. */
    mailFrom: yield* mailFrom,
    /** The networks of proxies whose X-Forwarded-For is trusted. */
    trustedProxies,
    /** The time that the service still answers after a stop signal, while not ready, so that load balancers notice. */
    drainSeconds: yield* integer("DRAIN_SECONDS", 0, 60, "a whole number of seconds from 0 to 60").pipe(
      orElse(trustedProxies.length === 0 ? 0 : 5)
    ),
    /** The credit packs for sale, in the configured order. */
    creditPacks: yield* parsed("CREDIT_PACKS", parseCreditPacks, creditPacksForm).pipe(orElse(defaultCreditPacks)),
    /** Dates in UTC that are not business days, like 2026-12-25. */
    holidays: yield* parsed("HOLIDAYS", parseHolidays, "dates like 2026-12-25,2027-01-01, separated by commas").pipe(
      orElse<ReadonlySet<string>>(new Set())
    ),
    /** If not set, the operator confirms payments. */
    stripe: yield* stripeAccount,
    /** The way to pay without Stripe, and the contact for questions. */
    contact: yield* contact,
    /** The seller of credits, for receipts. */
    seller: yield* seller,
    /** The limits of a client or a key on requests that are expensive for the service. */
    limits: yield* numbers(limits, "an integer"),
    /** The number of days that data is kept once it is no longer needed. */
    retention: yield* numbers(retention, "a whole number of days"),
    telemetry: yield* telemetry,
    /** The form in which the log shows the clients of refused requests. */
    logClients: yield* decoded("LOG_CLIENTS", LogClients, "network or hash").pipe(orElse("network" as const)),
    logLevel: yield* parsed("LOG_LEVEL", parseLogLevel, `one of ${Object.keys(logLevels).join(", ")}`).pipe(
      orElse<LogLevel.LogLevel>("Info")
    )
  }
  yield* checkCurrencies(settings)
  if (!appEnv.isSet) yield* checkEnvironment(settings)
  return settings
})

/** The settings of the service, decoded once at startup, and warnings about them. */
export class Settings extends Context.Service<
  Settings,
  Readonly<Effect.Success<typeof read>> & { readonly warnings: ReadonlyArray<SettingWarning> }
>()("outreach-forecast/Settings") {
  /** Reads the variables from the ConfigProvider. Fails with InvalidSettings, which lists every invalid setting. */
  static readonly layer = Layer.effect(
    Settings,
    Effect.gen(function* () {
      const names = new Set<string>()
      const problems: Array<string> = []
      const settings = yield* read.pipe(Effect.provideService(Reading, { names, problems }))
      if (problems.length > 0) return yield* new InvalidSettings({ problems })
      return Settings.of({
        ...settings,
        publicUrl: Option.map(settings.publicUrl, (url) => url.replace(/\/+$/, "")),
        warnings: [
          ...addressWarnings(settings),
          ...productionWarnings(settings),
          ...(yield* misspellingWarnings(names))
        ]
      })
    })
  )
}
