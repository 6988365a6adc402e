import { Config, Context, Data, Effect, FileSystem, Layer, type LogLevel, Option, Redacted, Schema } from "effect"

/** `production` accepts live keys only and no demo key; the others accept test keys and the demo key. */
export type Environment = "development" | "test" | "production"

/** The key that is accepted outside production without having been issued, and what its balance is set to at each start. */
export interface DemoKey {
  readonly secret: Redacted.Redacted
  readonly credits: number
}

/** Variables are missing, wrong or contradict each other; `problems` has a sentence for each. */
export class InvalidSettings extends Data.TaggedError("InvalidSettings")<{ readonly problems: ReadonlyArray<string> }> {
  override get message() {
    return `The configuration is wrong:\n${this.problems.map((problem) => `  ${problem}`).join("\n")}`
  }
}

const Port = Schema.FiniteFromString.check(Schema.isInt(), Schema.isBetween({ minimum: 0, maximum: 65_535 }))
const Credits = Schema.FiniteFromString.check(Schema.isInt(), Schema.isBetween({ minimum: 0, maximum: 1_000_000_000 }))
const PublicUrl = Schema.String.check(
  Schema.makeFilter((text) => /^https?:$/.test(URL.parse(text)?.protocol ?? "") && !/[?#]/.test(text))
)
const SqliteUrl = Schema.String.check(Schema.isPattern(/^sqlite:./))

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
  return Option.some(Redacted.make(content.trim()))
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
  const databaseUrl = yield* read(variable("DATABASE_URL", SqliteUrl, "sqlite:PATH or sqlite::memory:"))
  const demoKey = yield* read(secret("DEMO_KEY"))
  const demoCredits = yield* read(variable("DEMO_CREDITS", Credits, "an integer from 0 to 1000000000"))
  const logLevel = yield* read(variable("LOG_LEVEL", LogLevelName, `one of ${Object.keys(logLevels).join(", ")}`))

  const isProduction = Option.contains(environment, "production")
  if (isProduction) {
    if (Option.isSome(demoKey)) problems.push("DEMO_KEY must not be set in production: no demo key is accepted there")
    if (Option.isSome(demoCredits)) problems.push("DEMO_CREDITS must not be set in production: there is no demo key")
    if (Option.isNone(publicUrl)) problems.push("PUBLIC_URL must be set in production, as in https://forecast.example")
    if (Option.contains(databaseUrl, "sqlite::memory:")) {
      problems.push("DATABASE_URL must name a file in production: credits in memory are lost at every restart")
    }
  }
  if (problems.length > 0) return yield* new InvalidSettings({ problems })

  return Settings.of({
    environment: Option.getOrElse(environment, () => "development" as const),
    host: Option.getOrElse(host, () => "127.0.0.1"),
    port: Option.getOrElse(port, () => 3000),
    publicUrl: Option.map(publicUrl, (url) => url.replace(/\/+$/, "")),
    databaseFile: Option.getOrElse(databaseUrl, () => "sqlite:data/outreach-forecast.db").slice("sqlite:".length),
    demoKey: isProduction
      ? Option.none()
      : Option.some({
          secret: Option.getOrElse(demoKey, () => Redacted.make("demo")),
          credits: Option.getOrElse(demoCredits, () => 100)
        }),
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
    /** Path of the SQLite file, or `:memory:`. */
    readonly databaseFile: string
    /** None in production. */
    readonly demoKey: Option.Option<DemoKey>
    readonly logLevel: LogLevel.LogLevel
  }
>()("outreach-forecast/Settings") {
  /** Reads the variables from the ConfigProvider. Fails with InvalidSettings, which lists everything that is wrong. */
  static readonly layer = Layer.effect(
    Settings,
    Effect.suspend(() => load)
  )
}
