import { ConfigProvider, Effect, FileSystem, Layer, Option, Redacted } from "effect"
import { showSender } from "../../src/settings/MailSettings.ts"
import { limits, retention } from "../../src/settings/Numbers.ts"
import { Settings } from "../../src/Settings.ts"
import { code } from "./Page.ts"

/** The settings where only these variables are set, and the names of all variables that were read. */
const read = (env: Readonly<Record<string, string>>) => {
  const names = new Set<string>()
  const given = ConfigProvider.fromEnv({ env })
  const provider = ConfigProvider.make((path) => {
    // The empty path requests the names of all variables that are set.
    if (path.length > 0) names.add(path.join("."))
    return given.load(path)
  })
  const layer = Layer.provide(Settings.layer, [FileSystem.layerNoop({}), ConfigProvider.layer(provider)])
  return { names, settings: Effect.runSync(Effect.provide(Settings, layer)) }
}

const { names, settings } = read({})
const { database, demoKey, telemetry } = settings
const { database: postgres } = read({ DATABASE_URL: "postgres://user@localhost/name" }).settings
if (database.kind !== "sqlite" || postgres.kind !== "postgres") throw new Error("DATABASE_URL has another default")

const credits = Option.match(demoKey, { onNone: () => 0, onSome: ({ credits }) => credits })
const demo = Option.match(demoKey, { onNone: () => "", onSome: ({ secret }) => Redacted.value(secret) })

/** A default: a value, or words on it. */
const value = (of: string | number) => code(String(of))
const none = "none"

/** Each variable with its default and its meaning. */
const variables: ReadonlyArray<readonly [name: string, byDefault: string, meaning: string]> = [
  [
    "APP_ENV",
    value(settings.environment),
    "`development`, `test` (does not warm up before it serves) or `production`; has to be set if `HOST` is not a loopback address or `PUBLIC_URL` begins with https, unless `DEMO_KEY` is a secret of yours"
  ],
  ["HOST", value(settings.host), "where to listen: an IP address, with or without brackets, or a host name"],
  ["PORT", value(settings.port), "its port; 0 picks a free one"],
  [
    "PUBLIC_URL",
    "the listening address",
    "base of links; required in production; below a path, as in `https://example.com/forecast`, only the API works, and not the pages"
  ],
  [
    "ADMIN_PORT",
    none,
    "the port of the operator's listener; without it there is no such listener, and 0 picks a free port"
  ],
  ["ADMIN_HOST", value(settings.adminHost), "the address of the operator's listener"],
  [
    "MAX_CONNECTIONS",
    value(settings.maxConnections),
    "connections served at a time; each takes a file descriptor, and a process is often limited to 1,024"
  ],
  [
    "DATABASE_URL",
    value(`sqlite:${database.file}`),
    "`sqlite:PATH`, `sqlite::memory:` outside production, or `postgres://user:password@host:5432/name`, with `?sslmode=require` for TLS, `?sslmode=disable` without; `@ / ? # %` in the password are written `%40 %2F %3F %23 %25`"
  ],
  ["DATABASE_POOL_SIZE", value(postgres.poolSize), "maximum number of connections to Postgres"],
  [
    "DATABASE_CONNECT_TIMEOUT_MS",
    value(postgres.connectTimeout),
    "how long a connection to Postgres may take, in milliseconds"
  ],
  [
    "DATABASE_STATEMENT_TIMEOUT_MS",
    value(postgres.statementTimeout),
    "how long a statement may take there, in milliseconds"
  ],
  [
    "DATABASE_CA_FILE",
    none,
    "CA certificates in PEM that the Postgres server's certificate must be signed by; makes TLS required"
  ],
  [
    "DEMO_KEY",
    value(demo),
    "a key that works without being issued; refused in production, where no demo key is accepted"
  ],
  ["DEMO_CREDITS", value(credits), "its credits at each start; refused in production too"],
  [
    "MAIL_URL",
    none,
    "`smtp://user:password@host:port` or `smtps://…`, with `@ / ? # %` in the password written `%40 %2F %3F %23 %25`; without it emails are written to the folder `mail` next to the SQLite file, or to `data/mail`"
  ],
  ["MAIL_FROM", value(showSender(settings.mailFrom)), "the sender of emails"],
  ["TRUSTED_PROXIES", none, "addresses or networks of proxies whose `X-Forwarded-For` is trusted, separated by commas"],
  [
    "DRAIN_SECONDS",
    "5 behind a trusted proxy, else 0",
    "how long requests are still answered while the service stops and `/readyz` already says 503, so that a load balancer notices"
  ],
  [
    "CREDIT_PACKS",
    settings.creditPacks.map(({ id }) => id).join(", "),
    "what is sold: `id:credits:price:currency`, separated by commas, such as `starter:500:19.00:USD`"
  ],
  [
    "STRIPE_SECRET_KEY",
    none,
    "the key of your Stripe account; without it and the next one the operator confirms payments"
  ],
  ["STRIPE_WEBHOOK_SECRET", none, "the secret of its webhook; both or neither"],
  [
    "PAYMENT_INSTRUCTIONS",
    none,
    "how buyers pay without Stripe, such as the account to pay into; follows the amount and the reference; at most 2,000 characters; without it and Stripe, the pages of a production service sell nothing and tell buyers to write to `SUPPORT_EMAIL`, or without that to the address in `MAIL_FROM`, unless it is a no-reply one"
  ],
  [
    "SUPPORT_EMAIL",
    none,
    "the address that buyers can write to, shown with orders; replies to emails and reports of disputed payments go there, and `/.well-known/security.txt` names it"
  ],
  ["SELLER_NAME", none, "who sells the credits, for [receipts](credits.md#receipts); what is not set is left out"],
  ["SELLER_ADDRESS", none, "its address, in up to 6 lines"],
  ["SELLER_TAX_NUMBER", none, "its tax number with its kind, such as `VAT ID DE123456789`"],
  [
    "TERMS_URL",
    none,
    "the https address of your page with the terms of sale and how refunds work: shown where one orders or pays, and in the email about an order"
  ],
  ["HOLIDAYS", none, "dates that are not business days, such as `2026-12-25,2027-01-01`"],
  ...[...Object.values(limits), ...Object.values(retention)].map(
    ({ fallback, meaning, variable }) => [variable, value(fallback), meaning] as const
  ),
  [
    "OTEL_EXPORTER_OTLP_ENDPOINT",
    none,
    "the collector that metrics, traces and the log are sent to by OTLP over HTTP, such as `http://127.0.0.1:4318`"
  ],
  [
    "OTEL_TRACES_SAMPLER_ARG",
    value(telemetry.sampledShare),
    "the share of batches and requests that are traced, from 0 to 1"
  ],
  ["LOG_LEVEL", value(settings.logLevel.toLowerCase()), "`debug`, `info`, `warn`, `error` or `none`"],
  [
    "LOG_CLIENTS",
    value(settings.logClients),
    "how the log names the client of a refused request: `network`, its /24 or its /48 of IPv6, or `hash`"
  ]
]

const secrets = [...names].filter((name) => name.endsWith("_FILE") && names.has(name.replace(/_FILE$/, "")))

const listed = new Set([...variables.map(([name]) => name), ...secrets])
const wrong = [...names].filter((name) => !listed.has(name)).concat([...listed].filter((name) => !names.has(name)))
if (wrong.length > 0) throw new Error(`Settings and docs/operation.md have different variables: ${wrong.join(", ")}`)

/** Every variable that settings are read from. */
export const operation = [
  [
    ["variable", "default", "meaning"],
    ...variables.map(([name, ...cells]) => [code(name), ...cells]),
    [secrets.map(code).join(", "), none, "a file with the secret, in place of the variable without `_FILE`"]
  ]
]
