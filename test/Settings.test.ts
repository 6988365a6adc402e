import { assert, describe, it } from "@effect/vitest"
import * as NodeFileSystem from "@effect/platform-node/NodeFileSystem"
import { createTransport } from "nodemailer"
import { ConfigProvider, Effect, FileSystem, Layer, Option, Redacted } from "effect"
import { databaseFrom } from "../src/settings/DatabaseSettings.ts"
import { Settings } from "../src/Settings.ts"

const settingsOf = (env: Record<string, string>) =>
  Settings.pipe(
    Effect.provide(
      Settings.layer.pipe(
        Layer.provide(ConfigProvider.layer(ConfigProvider.fromEnv({ env }))),
        Layer.provide(NodeFileSystem.layer)
      )
    )
  )

const problemsOf = (env: Record<string, string>) =>
  settingsOf(env).pipe(
    Effect.flip,
    Effect.map(({ problems }) => problems)
  )

const production = { APP_ENV: "production", PUBLIC_URL: "https://forecast.example" }

describe("Settings", () => {
  it.effect(
    "accept payment instructions, a support address and terms, and refuse unprintable text and invalid addresses",
    () =>
      Effect.gen(function* () {
        const instructions = "Bank of Example,\nIBAN DE02 1203"
        const { contact } = yield* settingsOf({
          PAYMENT_INSTRUCTIONS: ` ${instructions}\n`,
          SUPPORT_EMAIL: "a@b.example",
          TERMS_URL: "https://b.example/terms#refunds"
        })
        assert.deepStrictEqual(contact, {
          paymentInstructions: Option.some(instructions),
          supportEmail: Option.some("a@b.example"),
          termsUrl: Option.some("https://b.example/terms#refunds")
        })
        for (const url of [
          "http://b.example/terms",
          "terms",
          "https://",
          "https://user@b.example",
          "javascript:alert(1)"
        ])
          assert.deepStrictEqual(yield* problemsOf({ TERMS_URL: url }), [
            "TERMS_URL must be the https address of a page, like https://example.com/terms"
          ])
        assert.deepStrictEqual(
          yield* problemsOf({ PAYMENT_INSTRUCTIONS: "x".repeat(2001), SUPPORT_EMAIL: "help <a@b.example>" }),
          [
            "PAYMENT_INSTRUCTIONS must have 1 to 2000 characters, and no control characters other than line breaks and tabs",
            "SUPPORT_EMAIL must be an address like help@example.com"
          ]
        )
        assert.lengthOf(yield* problemsOf({ PAYMENT_INSTRUCTIONS: "a\u0000b" }), 1)
      })
  )

  it.effect("warn about what is missing or unsuitable in production", () =>
    Effect.gen(function* () {
      const warnings = (env: Record<string, string>) => Effect.map(settingsOf(env), ({ warnings }) => warnings)
      assert.deepStrictEqual(yield* warnings({}), [])
      assert.deepStrictEqual(
        (yield* warnings(production)).map(({ isWrong, reason }) => [reason.split(":")[0], isWrong]),
        [
          ["TRUSTED_PROXIES is not set, although a proxy has to end the TLS of PUBLIC_URL", true],
          ["MAIL_URL is not set", true],
          ["MAIL_FROM is an address at localhost, which mail servers refuse", true],
          ["PAYMENT_INSTRUCTIONS is not set", false],
          ["SUPPORT_EMAIL is not set", false]
        ]
      )
      const [clear] = yield* warnings({ ...production, PUBLIC_URL: "http://forecast.example" })
      assert.match(clear?.reason ?? "", /^PUBLIC_URL begins with http:/)
      const lacking = yield* warnings({ ...production, SUPPORT_EMAIL: "a@b.example" })
      assert.strictEqual(
        lacking.at(-1)?.reason,
        "PAYMENT_INSTRUCTIONS is not set: without Stripe, buyers have to ask SUPPORT_EMAIL how to pay"
      )
      const complete = {
        ...production,
        MAIL_URL: "smtp://localhost",
        MAIL_FROM: "Forecast <no-reply@forecast.example>",
        PAYMENT_INSTRUCTIONS: "IBAN",
        SUPPORT_EMAIL: "a@b.example",
        TRUSTED_PROXIES: "127.0.0.1"
      }
      assert.deepStrictEqual(yield* warnings(complete), [])
      for (const everyAddress of ["0.0.0.0/0", "10.0.0.1, ::/0"]) {
        const [trusting] = yield* warnings({ ...complete, TRUSTED_PROXIES: everyAddress })
        assert.match(trusting?.reason ?? "", /^TRUSTED_PROXIES has every address:/)
      }
      const [unencrypted] = yield* warnings({ ...complete, DATABASE_URL: "postgres://u:p@db.example/f" })
      assert.match(unencrypted?.reason ?? "", /^DATABASE_URL has no sslmode:/)
      for (const address of [
        "db.example/f?sslmode=disable",
        "[::1]/f",
        "localhost/f",
        "db.example/f?host=/run/postgres"
      ])
        assert.deepStrictEqual(yield* warnings({ ...complete, DATABASE_URL: `postgres://u:p@${address}` }), [])
      const { PAYMENT_INSTRUCTIONS: _, ...others } = complete
      assert.deepStrictEqual(
        yield* warnings({ ...others, STRIPE_SECRET_KEY: "sk_live_1", STRIPE_WEBHOOK_SECRET: "whsec_1" }),
        []
      )
    })
  )

  it.effect("warn about variables that are set and resemble a setting that is not", () =>
    Effect.gen(function* () {
      const meant = {
        TRUSTED_PROXY: "TRUSTED_PROXIES",
        MAILURL: "MAIL_URL",
        STRIPE_KEY: "STRIPE_SECRET_KEY",
        DATABASE_URI: "DATABASE_URL",
        DATABSE_URL: "DATABASE_URL",
        KEY_REQUEST_PER_SECOND: "KEY_REQUESTS_PER_SECOND",
        LOGLEVEL: "LOG_LEVEL",
        SUPPORT_MAIL: "SUPPORT_EMAIL"
      }
      for (const [name, known] of Object.entries(meant)) {
        const { warnings } = yield* settingsOf({ [name]: "x" })
        const reason = `${name} is set, but is not a setting; did you mean ${known}?`
        assert.deepStrictEqual(warnings, [{ reason, isWrong: true }])
      }
      const ofOthers =
        "PATH HOME HOSTNAME MAIL MAILCHECK LOGNAME NODE_ENV PGPORT POSTGRES_PASSWORD DATABASE_URL_TEST INVOCATION_ID JOURNAL_STREAM KUBERNETES_SERVICE_PORT SERVICE_API_KEY SERVICE_BASE_URL SSH_CLIENT npm_config_mail_url"
      const { warnings } = yield* settingsOf(Object.fromEntries(ofOthers.split(" ").map((name) => [name, "x"])))
      assert.deepStrictEqual(warnings, [])
      // If the right variable is set, a similar one is for another program.
      assert.deepStrictEqual((yield* settingsOf({ MAILURL: "x", MAIL_URL: "smtp://localhost" })).warnings, [])
    })
  )

  it.effect("accept a seller, and refuse one that does not fit on a receipt", () =>
    Effect.gen(function* () {
      const { seller } = yield* settingsOf({
        SELLER_NAME: "Example Ltd ",
        SELLER_ADDRESS: "1 Example Street\nExampleton\n"
      })
      assert.deepStrictEqual(seller, {
        name: Option.some("Example Ltd"),
        address: Option.some("1 Example Street\nExampleton"),
        taxNumber: Option.none()
      })
      assert.deepStrictEqual(
        yield* problemsOf({
          SELLER_NAME: "Example\nLtd",
          SELLER_ADDRESS: "x\n".repeat(8) + "x",
          SELLER_TAX_NUMBER: "x".repeat(201)
        }),
        [
          "SELLER_NAME must have 1 to 100 characters on one line",
          "SELLER_ADDRESS must have 1 to 6 lines of 1 to 100 characters",
          "SELLER_TAX_NUMBER must have 1 to 100 characters on one line"
        ]
      )
    })
  )

  it.effect("have defaults for everything in development", () =>
    Effect.gen(function* () {
      const { demoKey, ...settings } = yield* settingsOf({})
      assert.deepStrictEqual(settings, {
        environment: "development",
        host: "127.0.0.1",
        port: 3000,
        adminHost: "127.0.0.1",
        adminPort: Option.none(),
        maxConnections: 900,
        publicUrl: Option.none(),
        database: { kind: "sqlite", file: "data/outreach-forecast.db" },
        mail: { kind: "folder" },
        mailFrom: { name: "Outreach Forecast", address: "no-reply@localhost" },
        trustedProxies: [],
        drainSeconds: 0,
        creditPacks: [
          { id: "starter", credits: 500, amount: 1900, currency: "USD" },
          { id: "growth", credits: 2500, amount: 7900, currency: "USD" },
          { id: "scale", credits: 10_000, amount: 24_900, currency: "USD" }
        ],
        holidays: new Set<string>(),
        stripe: Option.none(),
        contact: { paymentInstructions: Option.none(), supportEmail: Option.none(), termsUrl: Option.none() },
        seller: { name: Option.none(), address: Option.none(), taxNumber: Option.none() },
        limits: {
          wrongKeysPerMinute: 100,
          keyRequestsPerSecond: 1000,
          rotationsPerHour: 10,
          unpaidOrdersPerKey: 5,
          calculationMillisPerMinute: 2000,
          keylessMailsPerHour: 200,
          keylessMessagesPerMinute: 120
        },
        retention: {
          mailDays: 30,
          linkDays: 30,
          unconfirmedKeyDays: 30,
          unpaidOrderDays: 90,
          paymentEventDays: 90
        },
        telemetry: { endpoint: Option.none(), sampledShare: 0.1 },
        logClients: "network",
        logLevel: "Info",
        warnings: []
      })
      const demo = Option.getOrThrow(demoKey)
      assert.strictEqual(Redacted.value(demo.secret), "demo")
      assert.strictEqual(demo.credits, 100)
    })
  )

  it.effect(
    "keep the service responding for a while before it stops behind a load balancer, unless configured otherwise",
    () =>
      Effect.gen(function* () {
        const drainSeconds = (env: Record<string, string>) => Effect.map(settingsOf(env), (found) => found.drainSeconds)
        assert.strictEqual(yield* drainSeconds({ TRUSTED_PROXIES: "10.0.0.0/8" }), 5)
        assert.strictEqual(yield* drainSeconds({ TRUSTED_PROXIES: "10.0.0.0/8", DRAIN_SECONDS: "0" }), 0)
        assert.strictEqual(yield* drainSeconds({ DRAIN_SECONDS: "7" }), 7)
      })
  )

  it.effect("refuse a collector that is not an HTTP URL, or that contains a password", () =>
    Effect.gen(function* () {
      for (const url of ["127.0.0.1:4318", "grpc://collector", "http://user:secret@collector:4318"]) {
        const problems = yield* problemsOf({ OTEL_EXPORTER_OTLP_ENDPOINT: url, OTEL_TRACES_SAMPLER_ARG: "2" })
        assert.strictEqual(problems.length, 2, url)
        assert.notInclude(problems.join(), "secret")
      }
    })
  )

  it.effect("count an empty variable as not set", () =>
    Effect.gen(function* () {
      const { host, port } = yield* settingsOf({ HOST: "", PORT: "", DEMO_KEY: "", LOG_LEVEL: "" })
      assert.deepStrictEqual([host, port], ["127.0.0.1", 3000])
    })
  )

  it.effect("list all invalid variables at once", () =>
    Effect.gen(function* () {
      const problems = yield* problemsOf({
        APP_ENV: "prod",
        HOST: "127.0.0.1:3000",
        PORT: "70000",
        ADMIN_HOST: "http://localhost",
        ADMIN_PORT: "admin",
        MAX_CONNECTIONS: "0",
        PUBLIC_URL: "forecast.example",
        DATABASE_URL: "mysql://localhost",
        DEMO_KEY_FILE: "/does/not/exist",
        DEMO_CREDITS: "1.5",
        MAIL_URL: "mail.example.com",
        MAIL_FROM: "Outreach Forecast\nBcc: all@example.com",
        TRUSTED_PROXIES: "10.0.0.0/8, localhost",
        DRAIN_SECONDS: "5s",
        CREDIT_PACKS: "starter:500:19:USD",
        HOLIDAYS: "2026-12-25,2027-02-29",
        STRIPE_SECRET_KEY: "canary",
        WRONG_KEYS_PER_MINUTE: "0",
        KEY_REQUESTS_PER_SECOND: "many",
        ROTATIONS_PER_HOUR: "1001",
        UNPAID_ORDERS_PER_KEY: "0.5",
        CALCULATION_MILLIS_PER_MINUTE: "0",
        LOG_CLIENTS: "all",
        LOG_LEVEL: "loud"
      })
      assert.deepStrictEqual(problems, [
        "APP_ENV must be development, test or production",
        "TRUSTED_PROXIES must be IP addresses or networks, separated by commas",
        "HOST must be an IP address or a host name, without a port: that is PORT",
        "PORT must be an integer from 0 to 65535",
        "ADMIN_HOST must be an IP address or a host name, without a port: that is ADMIN_PORT",
        "ADMIN_PORT must be an integer from 0 to 65535",
        "MAX_CONNECTIONS must be an integer from 1 to 1000000",
        "PUBLIC_URL must be an http or https URL without a query, like https://forecast.example",
        "DATABASE_URL must be sqlite:PATH, sqlite::memory: or postgres://user:password@host:5432/name with @ / ? # % in the password written as %40 %2F %3F %23 %25",
        "DEMO_KEY_FILE must name a file that can be read",
        "DEMO_CREDITS must be an integer from 0 to 1000000000",
        "MAIL_URL must look like smtp://user:password@host:port, or smtps:// for TLS from the start, with @ / ? # % in the password written as %40 %2F %3F %23 %25",
        "MAIL_FROM must be an address like Outreach Forecast <no-reply@example.com>",
        "DRAIN_SECONDS must be a whole number of seconds from 0 to 60",
        "CREDIT_PACKS must be packs like starter:500:19.00:USD, separated by commas: each with its own ID, 1 to 1000000000 credits, a price above 0 with as many decimals as its currency has, and an ISO 4217 code",
        "HOLIDAYS must be dates like 2026-12-25,2027-01-01, separated by commas",
        "STRIPE_SECRET_KEY must be a secret or restricted key, like sk_live_…",
        "STRIPE_SECRET_KEY and STRIPE_WEBHOOK_SECRET must be set together, or neither of them",
        "WRONG_KEYS_PER_MINUTE must be an integer from 1 to 1000000",
        "KEY_REQUESTS_PER_SECOND must be an integer from 1 to 1000000",
        "ROTATIONS_PER_HOUR must be an integer from 1 to 1000",
        "UNPAID_ORDERS_PER_KEY must be an integer from 1 to 1000",
        "CALCULATION_MILLIS_PER_MINUTE must be an integer from 1 to 60000",
        "LOG_CLIENTS must be network or hash",
        "LOG_LEVEL must be one of debug, info, warn, error, none"
      ])
    })
  )

  it.effect("refuse a Postgres URL that the driver cannot use, or whose password would be shown as a name", () =>
    Effect.gen(function* () {
      for (const url of [
        "postgres:user:canary@host/name",
        "postgres:///user:canary@host/name",
        "postgres://user:pass@canary/word@host:5432/name",
        "postgres://user:pass@canary@host:5432/name",
        "postgres://user:1/canary@host:5432/name",
        "postgres://user:1/x?canary@host:5432/name",
        "postgres://user:1/x#canary@host:5432/name",
        "postgres://user:100%canary@host:5432/name",
        "postgres://user:canary@host:0/name",
        "postgres://user:canary@host:5432/name?sslmode=on",
        "postgres://user:canary@host/name?port=all"
      ]) {
        const problems = (yield* problemsOf({ DATABASE_URL: url })).join()
        assert.match(problems, /^DATABASE_URL must be [^,]+, [^,]+ %25$/, url)
        assert.notInclude(problems, "canary")
      }
      for (const url of ["postgres://user:%40%2F%3F%23@host:5432/name?sslmode=require", "postgresql://host/name"]) {
        assert.isTrue(Option.isSome(databaseFrom(Redacted.make(url))), url)
      }
    })
  )

  it.effect("accept a path to SQLite with spaces", () =>
    Effect.gen(function* () {
      const { database } = yield* settingsOf({ DATABASE_URL: "sqlite:/srv/my data/a b.db" })
      assert.deepStrictEqual(database, { kind: "sqlite", file: "/srv/my data/a b.db" })
      for (const url of ["sqlite:", "sqlite: a.db", "sqlite:a.db ", "sqlite:a\nb.db"]) {
        assert.lengthOf(yield* problemsOf({ DATABASE_URL: url }), 1)
      }
    })
  )

  it.effect("accept a mail server only as the mail library understands it, and say how to write its password", () =>
    Effect.gen(function* () {
      const files = yield* FileSystem.FileSystem
      const file = yield* files.makeTempFileScoped()
      const refused = (env: Record<string, string>) => Effect.map(problemsOf(env), (problems) => problems.join())
      for (const character of ["#", "/", "?", "%"]) {
        for (const password of [`pa${character}canary`, `12${character}canary`, `${character}canary@`]) {
          const url = `smtp://user:${password}@mail.example:587`
          yield* files.writeFileString(file, `${url}\n`)
          for (const env of [{ MAIL_URL: url }, { MAIL_URL_FILE: file }]) {
            const problem = yield* refused(env)
            assert.match(problem, /^MAIL_URL must look like .* written as %40 %2F %3F %23 %25$/, url)
            assert.notInclude(problem, "canary")
          }
          const encoded = `smtp://user:${encodeURIComponent(password)}@mail.example:587`
          const { mail } = yield* settingsOf({ MAIL_URL: encoded })
          if (mail.kind !== "smtp") return assert.fail(mail.kind)
          const { options } = createTransport({ url: Redacted.value(mail.url) })
          assert.deepInclude(options, { host: "mail.example", port: 587, auth: { user: "user", pass: password } })
        }
      }
      for (const url of [
        "smtp://mail%20.example",
        "smtp://mail.example:99999",
        "smtp://",
        "smtp:mail.example",
        "http://a"
      ]) {
        assert.match(yield* refused({ MAIL_URL: url }), /^MAIL_URL must/, url)
      }
      // What is unusual, and works.
      for (const [url, host, pass] of [
        ["smtp://user:p@ss:word@mail.example", "mail.example", "p@ss:word"],
        [String.raw`smtps://CORP\me:a+b=@[::1]:465/?tls.rejectUnauthorized=false`, "::1", "a+b="]
      ] as const) {
        yield* settingsOf({ MAIL_URL: url })
        const { options } = createTransport({ url })
        assert.deepStrictEqual([options.host, options.auth?.pass], [host, pass])
      }
    }).pipe(Effect.provide(NodeFileSystem.layer))
  )

  it.effect("accept a sender with any punctuation in its name, and refuse several addresses", () =>
    Effect.gen(function* () {
      for (const [text, name] of [
        ["Forecast: Example, Inc. <a@b.example>", "Forecast: Example, Inc."],
        [String.raw`"The \"Best\" Forecast" <a@b.example>`, 'The "Best" Forecast'],
        ["<a@b.example>", ""],
        ["a@b.example", ""]
      ] as const) {
        const { mailFrom } = yield* settingsOf({ MAIL_FROM: text })
        assert.deepStrictEqual(mailFrom, { name, address: "a@b.example" })
      }
      for (const text of ["a@b.example, c@d.example", "mailto:a@b.example", "A <a@b.example> <c@d.example>", "A <a>"]) {
        assert.lengthOf(yield* problemsOf({ MAIL_FROM: text }), 1, text)
      }
    })
  )

  it.effect("accept an IPv6 address with or without brackets", () =>
    Effect.gen(function* () {
      const { adminHost, host } = yield* settingsOf({ HOST: "[::1]", ADMIN_HOST: "::1" })
      assert.deepStrictEqual([host, adminHost], ["::1", "::1"])
    })
  )

  it.effect("require APP_ENV where others may reach a service that accepts the demo key everybody knows", () =>
    Effect.gen(function* () {
      const publicly = { PUBLIC_URL: "https://forecast.example" }
      for (const [env, reached] of [
        [{ HOST: "0.0.0.0" }, "HOST=0.0.0.0"],
        [{ HOST: "[::]" }, "HOST=::"],
        [{ HOST: "forecast.internal", DEMO_KEY: "demo" }, "HOST=forecast.internal"],
        [publicly, "PUBLIC_URL=https://forecast.example"],
        [{ ...publicly, HOST: "0.0.0.0", APP_ENV: "" }, "PUBLIC_URL=https://forecast.example"]
      ] as const) {
        assert.deepStrictEqual(yield* problemsOf(env), [
          `APP_ENV must be set because others may reach the service at ${reached}: to production, or to development, which accepts the key demo and logs the links of emails`
        ])
        yield* settingsOf({ ...env, APP_ENV: "development" })
        yield* settingsOf({ ...env, DEMO_KEY: "a-secret-of-ours" })
      }
      for (const HOST of ["127.0.0.1", "127.1.2.3", "::1", "localhost"]) {
        yield* settingsOf({ HOST, PUBLIC_URL: "http://forecast.example" })
      }
    })
  )

  it.effect("warn that pages do not work below a path", () =>
    Effect.gen(function* () {
      const { warnings } = yield* settingsOf({ APP_ENV: "test", PUBLIC_URL: "https://example.com/forecast/" })
      assert.deepStrictEqual(
        warnings.map(({ isWrong, reason }) => [reason.split(".")[0], isWrong]),
        [["PUBLIC_URL has a path: only the API works below a path", false]]
      )
    })
  )

  it.effect("warn that Caddyfile does not work with an address that ends with a slash, and leave the slash out", () =>
    Effect.gen(function* () {
      const { publicUrl, warnings } = yield* settingsOf({ APP_ENV: "test", PUBLIC_URL: "https://forecast.example/" })
      assert.deepStrictEqual(publicUrl, Option.some("https://forecast.example"))
      assert.deepStrictEqual(
        warnings.map(({ isWrong, reason }) => [reason.split(":")[0], isWrong]),
        [["PUBLIC_URL ends with a slash", true]]
      )
    })
  )

  it.effect("refuse settings for development in production", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(
        yield* problemsOf({
          APP_ENV: "production",
          DEMO_KEY: "demo",
          DEMO_CREDITS: "5",
          DATABASE_URL: "sqlite::memory:"
        }),
        [
          "PUBLIC_URL must be set in production, for example to https://forecast.example",
          "DATABASE_URL must name a file in production: credits in memory are lost at every restart",
          "DEMO_KEY must not be set in production: no demo key is accepted there",
          "DEMO_CREDITS must not be set in production: there is no demo key"
        ]
      )
      const { demoKey, publicUrl } = yield* settingsOf({ ...production, PUBLIC_URL: "https://forecast.example/" })
      assert.isTrue(Option.isNone(demoKey))
      assert.deepStrictEqual(publicUrl, Option.some("https://forecast.example"))
    })
  )

  it.effect("read a secret from a file, without its last line break, and never from two places", () =>
    Effect.gen(function* () {
      const files = yield* FileSystem.FileSystem
      const file = yield* files.makeTempFileScoped()
      yield* files.writeFileString(file, "from-a-file\n")
      const { demoKey } = yield* settingsOf({ DEMO_KEY_FILE: file })
      assert.strictEqual(Redacted.value(Option.getOrThrow(demoKey).secret), "from-a-file")
      assert.deepStrictEqual(yield* problemsOf({ DEMO_KEY_FILE: file, DEMO_KEY: "demo" }), [
        "DEMO_KEY and DEMO_KEY_FILE are both set; keep one of them"
      ])
    }).pipe(Effect.provide(NodeFileSystem.layer))
  )

  it.effect("require both Stripe secrets or neither, and refuse a currency that Stripe counts in other units", () =>
    Effect.gen(function* () {
      const files = yield* FileSystem.FileSystem
      const file = yield* files.makeTempFileScoped()
      yield* files.writeFileString(file, "whsec_file\n")
      const secrets = { STRIPE_SECRET_KEY: "sk_test_inline", STRIPE_WEBHOOK_SECRET_FILE: file }
      const stripe = Option.getOrThrow((yield* settingsOf(secrets)).stripe)
      assert.deepStrictEqual([stripe.secretKey, stripe.webhookSecret].map(Redacted.value), [
        "sk_test_inline",
        "whsec_file"
      ])
      assert.deepStrictEqual(yield* problemsOf({ STRIPE_WEBHOOK_SECRET: "whsec_alone" }), [
        "STRIPE_SECRET_KEY and STRIPE_WEBHOOK_SECRET must be set together, or neither of them"
      ])
      assert.deepStrictEqual(yield* problemsOf({ ...secrets, CREDIT_PACKS: "a:1:500:UGX" }), [
        "CREDIT_PACKS must not be priced in ISK, MGA or UGX with Stripe, which counts these currencies in other units"
      ])
    }).pipe(Effect.provide(NodeFileSystem.layer))
  )

  it.effect("never print a secret", () =>
    Effect.gen(function* () {
      const settings = yield* settingsOf({
        DEMO_KEY: "canary-7f3a",
        MAIL_URL: "smtp://me:canary-7f3a@localhost",
        STRIPE_SECRET_KEY: "sk_canary-7f3a",
        STRIPE_WEBHOOK_SECRET: "whsec_canary-7f3a"
      })
      assert.notInclude(JSON.stringify(settings), "canary-7f3a")
      const problems = yield* problemsOf({ DEMO_KEY: "canary-7f3a", PORT: "canary" })
      assert.notInclude(problems.join(), "canary")
    })
  )
})
