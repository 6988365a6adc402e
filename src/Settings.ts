import {
  Array as Arr,
  Context,
  Data,
  Effect,
  Layer,
  type LogLevel,
  Option,
  Redacted,
  Result,
  Schema,
  Struct
} from "effect"
import { IpNetwork } from "effect/net"
import { contact } from "./settings/Contact.ts"
import { creditPacksForm, defaultCreditPacks, parseCreditPacks } from "./settings/CreditPack.ts"
import { database } from "./settings/DatabaseSettings.ts"
import { demoKey } from "./settings/DemoKey.ts"
import { type Doubt, doubtsInProduction, misspelt } from "./settings/Doubts.ts"
import { environment } from "./settings/Environment.ts"
import { parseHolidays } from "./settings/Holidays.ts"
import { limits } from "./settings/Limits.ts"
import { publicUrl } from "./settings/PublicUrl.ts"
import { retention } from "./settings/Retention.ts"
import { telemetry } from "./settings/Telemetry.ts"
import { seller } from "./settings/Seller.ts"
import { checkCurrencies, stripeAccount } from "./settings/StripeAccount.ts"
import { check, decoded, integer, orElse, parsed, Reading, secret, text } from "./settings/Variable.ts"

/** One or more variables are missing, invalid or contradictory; `problems` has a sentence for each. */
export class InvalidSettings extends Data.TaggedError("InvalidSettings")<{ readonly problems: ReadonlyArray<string> }> {
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

/** An address on one line, `Name <local@domain>` or without a name. */
const MailFrom = Schema.String.check(Schema.isPattern(/^(?:[^<>\r\n]*<[^<>@\s]+@[^<>@\s]+>|[^<>@\s]+@[^<>@\s]+)$/))

const parseNetwork = (address: string) =>
  Result.getSuccess(
    IpNetwork.fromString(address.includes("/") ? address : `${address}/${address.includes(":") ? 128 : 32}`)
  )
const parseNetworks = (list: string): Option.Option<ReadonlyArray<IpNetwork.IpNetwork>> =>
  Option.all(list.split(",").map((address) => parseNetwork(address.trim())))

const LogClients = Schema.String.pipe(Schema.decodeTo(Schema.Literals(["network", "hash"])))

/** All settings, with their variables. A new setting is one more entry. */
const read = Effect.gen(function* () {
  const appEnv = yield* environment
  const isProduction = appEnv === "production"
  const trustedProxies = yield* parsed(
    "TRUSTED_PROXIES",
    parseNetworks,
    "IP addresses or networks, separated by commas"
  ).pipe(orElse<ReadonlyArray<IpNetwork.IpNetwork>>([]))
  return {
    environment: appEnv,
    host: yield* text("HOST").pipe(orElse("127.0.0.1")),
    /** 0 lets the system choose a free port. */
    port: yield* integer("PORT", 0, 65_535, "an integer from 0 to 65535").pipe(orElse(3000)),
    /** The address of the operator's listener. */
    adminHost: yield* text("ADMIN_HOST").pipe(orElse("127.0.0.1")),
    /** Without a port there is no such listener; 0 lets the system choose a free one. */
    adminPort: yield* integer("ADMIN_PORT", 0, 65_535, "an integer from 0 to 65535"),
    /** The most connections served at a time: with those to databases and files, fewer than 1,024 descriptors. */
    maxConnections: yield* integer("MAX_CONNECTIONS", 1, 1_000_000, "an integer from 1 to 1000000").pipe(orElse(900)),
    /** How long a client may stop reading a response, in milliseconds. */
    answerTimeout: yield* integer(
      "ANSWER_TIMEOUT_MS",
      1000,
      600_000,
      "a whole number of milliseconds from 1000 to 600000"
    ).pipe(orElse(30_000)),
    /** The base of links in problems and emails, without a trailing slash; by default the address listened on. */
    publicUrl: yield* publicUrl(isProduction),
    database: yield* database(isProduction),
    /** Not set in production. */
    demoKey: yield* demoKey(isProduction),
    /** If not set, emails are written into a folder. */
    mailUrl: yield* secret("MAIL_URL").pipe(
      check(
        "MAIL_URL",
        (url: Redacted.Redacted) => /^smtps?:\/\/[^/]/.test(Redacted.value(url)),
        "look like smtp://user:password@host:port, or smtps:// for TLS from the start"
      )
    ),
    /** The sender of emails. */
    mailFrom: yield* decoded("MAIL_FROM", MailFrom, "an address like Outreach Forecast <no-reply@example.com>").pipe(
      orElse("Outreach Forecast <no-reply@localhost>")
    ),
    /** The networks of proxies whose X-Forwarded-For is trusted. */
    trustedProxies,
    /** How long the service still answers after a stop signal, while not ready, so that load balancers notice. */
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
    /** How buyers pay without Stripe, and the contact for questions. */
    contact: yield* contact,
    /** The seller of credits, for receipts. */
    seller: yield* seller,
    /** The limits of a client or a key on requests that are expensive for the service. */
    limits: yield* limits,
    /** How long data that is no longer needed is kept. */
    retention: yield* retention,
    telemetry: yield* telemetry,
    /** How clients of refused requests are shown in the log. */
    logClients: yield* decoded("LOG_CLIENTS", LogClients, "network or hash").pipe(orElse("network" as const)),
    logLevel: yield* parsed("LOG_LEVEL", parseLogLevel, `one of ${Object.keys(logLevels).join(", ")}`).pipe(
      orElse<LogLevel.LogLevel>("Info")
    )
  }
})

/** The settings of the service, decoded once at the start, and doubts about them. */
export class Settings extends Context.Service<
  Settings,
  Readonly<Effect.Success<typeof read>> & { readonly doubts: ReadonlyArray<Doubt> }
>()("outreach-forecast/Settings") {
  /** Reads the variables from the ConfigProvider. Fails with InvalidSettings, which lists every invalid setting. */
  static readonly layer = Layer.effect(
    Settings,
    Effect.gen(function* () {
      const names = new Set<string>()
      const problems: Array<string> = []
      const settings = yield* Effect.tap(read, checkCurrencies).pipe(
        Effect.provideService(Reading, { names, problems })
      )
      if (problems.length > 0) return yield* new InvalidSettings({ problems })
      return Settings.of({ ...settings, doubts: [...doubtsInProduction(settings), ...(yield* misspelt(names))] })
    })
  )
}
