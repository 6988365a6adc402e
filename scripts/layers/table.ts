// Which room of src may import what. `npm run check` holds every import to this table, those of types too.
// Paths are below src: a folder stands for all that is in it, `*Sql.ts` for all files with such a name.

/**
 * A row is a room or a file of the root, and the arrows that leave it: what of our own it may import beside itself. A file
 * belongs to the row with the longest path.
 */
export const arrows: Readonly<Record<string, ReadonlyArray<string>>> = {
  account: ["Settings.ts", "credits", "http", "idempotency", "input", "keys", "orders", "settings", "site", "text"],
  calculator: ["Settings.ts", "campaign", "forecast", "http", "input", "keys", "site", "text", "workers"],
  campaign: ["input"],
  cli: ["Application.ts", "Settings.ts", "database", "keys", "observability", "settings", "text"],
  credits: [
    "KeyId.ts",
    "Many.ts",
    "Randomness.ts",
    "cli",
    "database",
    "http",
    "idempotency",
    "input",
    "keys",
    "observability"
  ],
  database: ["Settings.ts", "observability", "settings"],
  forecast: ["campaign", "input"],
  http: [
    "KeyId.ts",
    "Many.ts",
    "Randomness.ts",
    "Recent.ts",
    "Routes.ts",
    "Settings.ts",
    "credits",
    "database",
    "input",
    "keys",
    "metering",
    "observability",
    "operation",
    "orders",
    "site",
    "text",
    "workers"
  ],
  idempotency: ["Many.ts", "database", "http", "input"],
  input: [],
  keys: [
    "KeyId.ts",
    "Many.ts",
    "Recent.ts",
    "RoutedApi.ts",
    "Settings.ts",
    "calculator",
    "cli",
    "credits",
    "database",
    "http",
    "input",
    "mail",
    "privacy",
    "settings",
    "site",
    "text"
  ],
  mail: ["Settings.ts", "cli", "database", "observability", "text"],
  mcp: [
    "Settings.ts",
    "campaign",
    "cli",
    "credits",
    "forecast",
    "http",
    "input",
    "keys",
    "metering",
    "version.ts",
    "workers"
  ],
  metering: [
    "KeyId.ts",
    "Many.ts",
    "RoutedApi.ts",
    "campaign",
    "credits",
    "forecast",
    "http",
    "idempotency",
    "input",
    "keys",
    "workers"
  ],
  observability: ["Settings.ts", "text"],
  operation: [
    "Application.ts",
    "Randomness.ts",
    "RoutedApi.ts",
    "Settings.ts",
    "cli",
    "credits",
    "database",
    "http",
    "idempotency",
    "keys",
    "mail",
    "observability",
    "orders",
    "privacy",
    "settings",
    "text"
  ],
  orders: [
    "KeyId.ts",
    "RoutedApi.ts",
    "Settings.ts",
    "cli",
    "credits",
    "database",
    "http",
    "idempotency",
    "input",
    "keys",
    "mail",
    "observability",
    "settings",
    "site",
    "text"
  ],
  privacy: ["Settings.ts", "database", "keys", "mail", "orders", "settings", "site", "text"],
  settings: [],
  site: ["Api.ts", "calculator", "campaign", "forecast", "http", "input", "keys", "orders", "text"],
  text: [],
  workers: ["calculator", "campaign", "forecast", "input", "mcp"],
  "Api.ts": ["http", "keys", "metering", "operation", "orders", "version.ts"],
  "Application.ts": [
    "Randomness.ts",
    "Settings.ts",
    "credits",
    "database",
    "idempotency",
    "keys",
    "mail",
    "metering",
    "observability",
    "orders",
    "privacy",
    "workers"
  ],
  "CommandLine.ts": ["../package.json", "cli", "credits", "keys", "mail", "mcp", "operation", "orders"],
  "KeyId.ts": [],
  "Many.ts": [],
  "Randomness.ts": [],
  "Recent.ts": [],
  "RoutedApi.ts": ["http", "keys", "metering", "operation", "orders"],
  "Routes.ts": [
    "Api.ts",
    "RoutedApi.ts",
    "account",
    "calculator",
    "http",
    "keys",
    "mcp",
    "metering",
    "operation",
    "orders",
    "site"
  ],
  "Settings.ts": ["settings"],
  "main.ts": ["CommandLine.ts"],
  "version.ts": ["../package.json"]
}

/** Files that are not open to every row with an arrow to their room. */
export const closed: ReadonlyArray<{
  readonly files: ReadonlyArray<string>
  /** The files that may not import them; without it, all that are not in the same row. */
  readonly to?: ReadonlyArray<string>
  readonly except?: ReadonlyArray<string>
  /** Whether their types may be imported all the same. */
  readonly allowsTypes: boolean
  readonly why: string
}> = [
  {
    files: ["*Sql.ts"],
    except: ["Application.ts"],
    allowsTypes: false,
    why: "only Application.ts chooses where a store keeps its data"
  },
  {
    files: ["*Store.ts", "mail/Outbox.ts"],
    to: ["*Api.ts", "*Http.ts", "*Pages.ts", "*Command.ts", "http", "metering", "cli"],
    allowsTypes: true,
    why: "handlers and commands call services, not stores"
  }
]

const all = Object.keys(arrows)

/** The files that know HTTP. */
const http = ["http", "site", "mcp", "*Api.ts", "*Http.ts", "*Pages.ts", "*Problems.ts", "Routes.ts"]

/**
 * Who may import which package: rows, or files by their name. `*` stands for any text; of the patterns that match a module
 * the longest counts. A package that none matches may be imported by nobody.
 */
export const packages: ReadonlyArray<{
  readonly modules: ReadonlyArray<string>
  readonly by: ReadonlyArray<string>
  readonly why: string
}> = [
  { modules: ["effect", "effect/*"], by: all, why: "" },
  {
    modules: ["effect/http*", "@effect/platform-node/NodeHttp*"],
    by: [...http, "operation/AdminServer.ts", "observability/Telemetry.ts"],
    why: "HTTP belongs to src/http and to *Api.ts, *Http.ts, *Pages.ts, *Problems.ts"
  },
  {
    modules: ["effect/sql*", "@effect/sql-*"],
    by: ["database", "privacy/Retention.ts", "*Sql.ts"],
    why: "SQL belongs to *Sql.ts and src/database"
  },
  {
    modules: ["effect/cli*"],
    by: ["cli", "*Command.ts", "CommandLine.ts", "main.ts"],
    why: "the command line belongs to *Command.ts, src/cli and main.ts"
  },
  { modules: ["@effect/platform-node"], by: [], why: "take the submodule: the barrel loads Redis and more" },
  {
    modules: ["@effect/platform-node/*"],
    by: [...http, "operation", "workers", "main.ts"],
    why: "the platform belongs to the server and to main.ts"
  },
  {
    modules: ["node:*"],
    by: [
      ...http,
      "account",
      "credits",
      "database",
      "forecast/list/CampaignList.ts",
      "keys",
      "metering",
      "observability",
      "operation",
      "orders",
      "Randomness.ts",
      "workers"
    ],
    why: "records, settings, forecasts and input do without the platform, and the rest uses Effect's services"
  },
  { modules: ["d3-scale"], by: ["calculator"], why: "drawings belong to src/calculator" },
  { modules: ["stripe"], by: ["orders"], why: "payments belong to src/orders" },
  { modules: ["nodemailer"], by: ["mail"], why: "sending mail belongs to src/mail" },
  { modules: ["csv-parse/*"], by: ["input"], why: "decoding belongs to src/input" },
  { modules: ["fastest-levenshtein"], by: ["input", "settings"], why: "only what people type has names to suggest" }
]
