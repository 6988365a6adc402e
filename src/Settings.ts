import {
  Config,
  Context,
  Data,
  Effect,
  FileSystem,
  Layer,
  type LogLevel,
  Option,
  Redacted,
  Result,
  Schema
} from "effect"
import { IpNetwork } from "effect/net"
import { parseHolidays } from "./orders/BusinessDays.ts"
import { type CreditPack, defaultCreditPacks, parseCreditPacks } from "./orders/CreditPack.ts"

/** `production` accepts live keys only and no demo key; the others accept test keys and the demo key. */
export type Environment = "development" | "test" | "production"

/** The key that is accepted outside production without having been issued, and what its balance is set to at each start. */
export interface DemoKey {
  readonly secret: Redacted.Redacted
  readonly credits: number
}

/** Access to a Stripe account: for calls to it, and to tell that a message is from it. */
export interface StripeAccount {
  readonly secretKey: Redacted.Redacted
  readonly webhookSecret: Redacted.Redacted
}

/** A SQLite file, or `:memory:`. */
export interface SqliteSettings {
  readonly kind: "sqlite"
  readonly file: string
}

/** A Postgres server: the URL with its password, and how connections to it are made. Times are milliseconds. */
export interface PostgresSettings {
  readonly kind: "postgres"
  readonly url: Redacted.Redacted
  /** How many connections are open at most. */
  readonly poolSize: number
  readonly connectTimeout: number
  readonly statementTimeout: number
  /** The certificates, in PEM, that the server's must come from; with them TLS is required. */
  readonly certificates: Option.Option<string>
}

export type DatabaseSettings = SqliteSettings | PostgresSettings

const defaultDatabase: DatabaseSettings = { kind: "sqlite", file: "data/outreach-forecast.db" }

/** Names a database for people: nothing of it is a secret. */
export const databaseName = (database: DatabaseSettings): string => {
  if (database.kind === "sqlite") return database.file
  const { host, pathname } = new URL(Redacted.value(database.url))
  return `postgres://${host}${pathname}`
}

/** Reads `sqlite:PATH`, `sqlite::memory:` or `postgres://…`; the rest is set as by default. */
export const databaseFrom = (url: Redacted.Redacted): Option.Option<DatabaseSettings> => {
  const file = sqliteUrl.exec(Redacted.value(url))?.groups?.["file"]
  if (file !== undefined) return Option.some({ kind: "sqlite", file })
  return isPostgresUrl(Redacted.value(url))
    ? Option.some({
        kind: "postgres",
        url,
        poolSize: 10,
        connectTimeout: 5000,
        statementTimeout: 10_000,
        certificates: Option.none()
      })
    : Option.none()
}

/** Variables are missing, wrong or contradict each other; `problems` has a sentence for each. */
export class InvalidSettings extends Data.TaggedError("InvalidSettings")<{ readonly problems: ReadonlyArray<string> }> {
  override get message() {
    return `The configuration is wrong:\n${this.problems.map((problem) => `  ${problem}`).join("\n")}`
  }
}

const integer = (maximum: number) =>
  Schema.String.check(Schema.isPattern(/^[0-9]{1,10}$/)).pipe(
    Schema.decodeTo(Schema.FiniteFromString.check(Schema.isBetween({ minimum: 0, maximum })))
  )
const Port = integer(65_535)
const Credits = integer(1_000_000_000)
const PublicUrl = Schema.String.check(
  Schema.makeFilter((text) => /^https?:$/.test(URL.parse(text)?.protocol ?? "") && !/[?#@\s]/.test(text))
)
const PoolSize = Schema.String.check(Schema.isPattern(/^[0-9]{1,4}$/)).pipe(
  Schema.decodeTo(Schema.FiniteFromString.check(Schema.isBetween({ minimum: 2, maximum: 1000 })))
)
const Timeout = Schema.String.check(Schema.isPattern(/^[0-9]{1,6}$/)).pipe(
  Schema.decodeTo(Schema.FiniteFromString.check(Schema.isBetween({ minimum: 100, maximum: 600_000 })))
)
const sqliteUrl = /^sqlite:(?!\/\/)(?<file>\S+)$/
/** Without a host, what is meant as a password would be taken for a part of the name. */
const isPostgresUrl = (url: string) => {
  const { host = "", pathname = "", protocol = "" } = URL.parse(url) ?? {}
  return /^postgres(?:ql)?:$/.test(protocol) && host !== "" && pathname.length > 1
}

/** An address, `Name <local@domain>` or bare, on one line. */
const MailFrom = Schema.String.check(Schema.isPattern(/^(?:[^<>\r\n]*<[^<>@\s]+@[^<>@\s]+>|[^<>@\s]+@[^<>@\s]+)$/))

const networkFrom = (text: string) =>
  IpNetwork.fromString(text.includes("/") ? text : `${text}/${text.includes(":") ? 128 : 32}`)
const networkTexts = (list: string) => list.split(",").map((text) => text.trim())
const NetworkList = Schema.String.check(
  Schema.makeFilter((list) => networkTexts(list).every((text) => Result.isSuccess(networkFrom(text))))
)

const PackList = Schema.String.check(Schema.makeFilter((text) => Option.isSome(parseCreditPacks(text))))
const HolidayList = Schema.String.check(Schema.makeFilter((text) => Option.isSome(parseHolidays(text))))

/** Currencies whose amounts Stripe counts in other units than ISO 4217. */
const unlikeStripe = ["ISK", "MGA", "UGX"]

const logLevels = {
  all: "All",
  trace: "Trace",
  debug: "Debug",
  info: "Info",
  warn: "Warn",
  error: "Error",
  fatal: "Fatal",
  none: "None"
} as const satisfies Record<string, LogLevel.LogLevel>

const LogLevelName = Schema.Literals(["all", "trace", "debug", "info", "warn", "error", "fatal", "none"])

/** The value of a variable as text; an empty one counts as not set. */
const text = (name: string) =>
  Config.option(Config.String(name)).pipe(
    Effect.map(Option.filter((value) => value !== "")),
    Effect.mapError(() => `${name} cannot be read`)
  )

/** A variable decoded by `schema`; `expected` completes the sentence "NAME must be …". */
const variable = <A>(name: string, schema: Schema.Codec<A, string>, expected: string) =>
  text(name).pipe(
    Effect.flatMap(
      Option.match({
        onNone: () => Effect.succeedNone,
        onSome: (value) => Effect.asSome(Schema.decodeEffect(schema)(value))
      })
    ),
    Effect.mapError(() => `${name} must be ${expected}`)
  )

/** A secret variable, from NAME or from the file that NAME_FILE names. */
const secret = Effect.fnUntraced(function* (name: string) {
  const files = yield* FileSystem.FileSystem
  const inline = yield* text(name)
  const file = yield* text(`${name}_FILE`)
  if (Option.isNone(file)) return Option.map(inline, (value) => Redacted.make(value))
  if (Option.isSome(inline)) return yield* Effect.fail(`${name} and ${name}_FILE are both set; keep one of them`)
  const content = yield* files
    .readFileString(file.value)
    .pipe(Effect.mapError(() => `${name}_FILE must name a file that can be read`))
  if (content.trim() === "") return yield* Effect.fail(`${name}_FILE must name a file that is not empty`)
  return Option.some(Redacted.make(content.trim()))
})

/** The content of a file whose path is in a variable. */
const fileContent = Effect.fnUntraced(function* (name: string) {
  const files = yield* FileSystem.FileSystem
  const file = yield* text(name)
  if (Option.isNone(file)) return Option.none<string>()
  return Option.some(
    yield* files.readFileString(file.value).pipe(Effect.mapError(() => `${name} must name a file that can be read`))
  )
})

const load = Effect.gen(function* () {
  const problems: Array<string> = []
  const read = <A, R>(setting: Effect.Effect<Option.Option<A>, string, R>) =>
    Effect.catch(setting, (problem) => {
      problems.push(problem)
      return Effect.succeedNone
    })

  const environment = yield* read(
    variable("APP_ENV", Schema.Literals(["development", "test", "production"]), "development, test or production")
  )
  const host = yield* read(text("HOST"))
  const port = yield* read(variable("PORT", Port, "an integer from 0 to 65535"))
  const publicUrl = yield* read(
    variable("PUBLIC_URL", PublicUrl, "an http or https URL without query, as in https://forecast.example")
  )
  const databaseUrl = yield* read(secret("DATABASE_URL"))
  const poolSize = yield* read(variable("DATABASE_POOL_SIZE", PoolSize, "an integer from 2 to 1000"))
  const connectTimeout = yield* read(
    variable("DATABASE_CONNECT_TIMEOUT_MS", Timeout, "milliseconds from 100 to 600000")
  )
  const statementTimeout = yield* read(
    variable("DATABASE_STATEMENT_TIMEOUT_MS", Timeout, "milliseconds from 100 to 600000")
  )
  const certificates = yield* read(fileContent("DATABASE_CA_FILE"))
  const given = Option.match(databaseUrl, {
    onNone: (): Option.Option<DatabaseSettings> => Option.some(defaultDatabase),
    onSome: databaseFrom
  })
  if (Option.isNone(given)) {
    problems.push("DATABASE_URL must be sqlite:PATH, sqlite::memory: or postgres://user:password@host:5432/name")
  }
  const database = Option.getOrElse(given, () => defaultDatabase)
  const demoKey = yield* read(secret("DEMO_KEY"))
  if (Option.exists(demoKey, (key) => !/^[A-Za-z0-9._~-]{1,200}$/.test(Redacted.value(key)))) {
    problems.push("DEMO_KEY must have 1 to 200 letters, digits, dots, underscores, tildes and hyphens")
  }
  const demoCredits = yield* read(variable("DEMO_CREDITS", Credits, "an integer from 0 to 1000000000"))
  const mailUrl = yield* read(secret("MAIL_URL"))
  if (Option.exists(mailUrl, (url) => !/^smtps?:\/\/[^/]/.test(Redacted.value(url)))) {
    problems.push("MAIL_URL must be as in smtp://user:password@host:port, or smtps:// for TLS from the start")
  }
  const mailFrom = yield* read(
    variable("MAIL_FROM", MailFrom, "an address as in Outreach Forecast <no-reply@example.com>")
  )
  const trustedProxies = yield* read(
    variable("TRUSTED_PROXIES", NetworkList, "IP addresses or networks, separated by commas")
  )
  const packs = yield* read(
    variable(
      "CREDIT_PACKS",
      PackList,
      "packs as in starter:500:19.00:USD, separated by commas: an id of its own, 1 to 1000000000 credits, a price above 0 with the decimals of its currency, and an ISO 4217 code"
    )
  )
  const creditPacks = Option.getOrElse(Option.flatMap(packs, parseCreditPacks), () => defaultCreditPacks)
  const holidays = yield* read(
    variable("HOLIDAYS", HolidayList, "dates as in 2026-12-25,2027-01-01, separated by commas")
  )
  const stripeKey = yield* read(secret("STRIPE_SECRET_KEY"))
  if (Option.exists(stripeKey, (key) => !/^[rs]k_\S+$/.test(Redacted.value(key)))) {
    problems.push("STRIPE_SECRET_KEY must be a secret or restricted key, as in sk_live_…")
  }
  const stripeWebhook = yield* read(secret("STRIPE_WEBHOOK_SECRET"))
  if (Option.exists(stripeWebhook, (secret) => !/^whsec_\S+$/.test(Redacted.value(secret)))) {
    problems.push("STRIPE_WEBHOOK_SECRET must be the signing secret of the webhook, as in whsec_…")
  }
  if (Option.isSome(stripeKey) !== Option.isSome(stripeWebhook)) {
    problems.push("STRIPE_SECRET_KEY and STRIPE_WEBHOOK_SECRET must be set together, or neither of them")
  }
  if (Option.isSome(stripeKey) && creditPacks.some(({ currency }) => unlikeStripe.includes(currency))) {
    problems.push(
      `CREDIT_PACKS must not be in ${unlikeStripe.join(", ")} with Stripe, which counts them in other units`
    )
  }
  const logLevel = yield* read(variable("LOG_LEVEL", LogLevelName, `one of ${Object.keys(logLevels).join(", ")}`))

  const isProduction = Option.contains(environment, "production")
  if (isProduction) {
    if (Option.isSome(demoKey)) problems.push("DEMO_KEY must not be set in production: no demo key is accepted there")
    if (Option.isSome(demoCredits)) problems.push("DEMO_CREDITS must not be set in production: there is no demo key")
    if (Option.isNone(publicUrl)) problems.push("PUBLIC_URL must be set in production, as in https://forecast.example")
    if (database.kind === "sqlite" && database.file === ":memory:") {
      problems.push("DATABASE_URL must name a file in production: credits in memory are lost at every restart")
    }
  }
  if (problems.length > 0) return yield* new InvalidSettings({ problems })

  return Settings.of({
    environment: Option.getOrElse(environment, () => "development" as const),
    host: Option.getOrElse(host, () => "127.0.0.1"),
    port: Option.getOrElse(port, () => 3000),
    publicUrl: Option.map(publicUrl, (url) => url.replace(/\/+$/, "")),
    database:
      database.kind === "sqlite"
        ? database
        : {
            ...database,
            poolSize: Option.getOrElse(poolSize, () => database.poolSize),
            connectTimeout: Option.getOrElse(connectTimeout, () => database.connectTimeout),
            statementTimeout: Option.getOrElse(statementTimeout, () => database.statementTimeout),
            certificates
          },
    demoKey: isProduction
      ? Option.none()
      : Option.some({
          secret: Option.getOrElse(demoKey, () => Redacted.make("demo")),
          credits: Option.getOrElse(demoCredits, () => 100)
        }),
    mailUrl,
    mailFrom: Option.getOrElse(mailFrom, () => "Outreach Forecast <no-reply@localhost>"),
    trustedProxies: Option.match(trustedProxies, {
      onNone: () => [],
      onSome: (list) => networkTexts(list).map((text) => Result.getOrThrow(networkFrom(text)))
    }),
    creditPacks,
    holidays: Option.getOrElse(Option.flatMap(holidays, parseHolidays), () => new Set<string>()),
    stripe: Option.map(Option.all([stripeKey, stripeWebhook]), ([secretKey, webhookSecret]) => ({
      secretKey,
      webhookSecret
    })),
    logLevel: logLevels[Option.getOrElse(logLevel, () => "info" as const)]
  })
})

/** Every setting of the service, decoded once at the start. */
export class Settings extends Context.Service<
  Settings,
  {
    readonly environment: Environment
    readonly host: string
    /** 0 lets the system choose a free port. */
    readonly port: number
    /** Base of the links in problems, without a trailing slash; none stands for the address that is listened on. */
    readonly publicUrl: Option.Option<string>
    readonly database: DatabaseSettings
    /** None in production. */
    readonly demoKey: Option.Option<DemoKey>
    /** None writes mails into a folder. */
    readonly mailUrl: Option.Option<Redacted.Redacted>
    /** The sender of mails. */
    readonly mailFrom: string
    /** The networks whose X-Forwarded-For is believed. */
    readonly trustedProxies: ReadonlyArray<IpNetwork.IpNetwork>
    /** What is sold, in the order of the configuration. */
    readonly creditPacks: ReadonlyArray<CreditPack>
    /** Dates in UTC that are no business days, as in 2026-12-25. */
    readonly holidays: ReadonlySet<string>
    /** None leaves the confirmation of payments to the operator. */
    readonly stripe: Option.Option<StripeAccount>
    readonly logLevel: LogLevel.LogLevel
  }
>()("outreach-forecast/Settings") {
  /** Reads the variables from the ConfigProvider. Fails with InvalidSettings, which lists everything that is wrong. */
  static readonly layer = Layer.effect(
    Settings,
    Effect.suspend(() => load)
  )
}
