// Which room of src may import what. `npm run check` holds every import to this table, those of types too.
// Paths are below src: a folder stands for all that is in it, `*Sql.ts` for all files with such a name.

/**
 * A row is a room, a folder or a file, and the arrows that leave it: what of our own it may import beside itself. A file
 * belongs to the row with the longest path: a file with a row of its own is apart from its folder, which needs an arrow to
 * import it.
 */
export const arrows: Readonly<Record<string, ReadonlyArray<string>>> = {
  // The command line, and the layers put together.
  "main.ts": ["cli"],
  cli: [
    "observability",
    "../package.json",
    "Application.ts",
    "Logging.ts",
    "SafeText.ts",
    "Progress.ts",
    "Figures.ts",
    "http",
    "forecast",
    "orders",
    "keys",
    "credits",
    "mail",
    "database",
    "input",
    "Settings.ts",
    "settings"
  ],
  "Application.ts": [
    "workers",
    "forecast",
    "orders",
    "keys",
    "credits",
    "mail",
    "database",
    "Settings.ts",
    "Logging.ts",
    "Randomness.ts"
  ],

  // The four services and what they share: http → forecast, orders → keys, credits → mail → database → settings.
  // Within http: server → mcp → handlers → pages and api → openapi → problems.
  http: ["credits"],
  "http/server": [
    "observability/Metrics.ts",
    "observability/Tracing.ts",
    "http",
    "http/mcp",
    "http/handlers",
    "http/api",
    "http/pages",
    "http/problems",
    "keys",
    "credits",
    "database",
    "workers/Overloaded.ts",
    "Many.ts",
    "Randomness.ts",
    "RequestLog.ts",
    "Settings.ts"
  ],

  "http/mcp": [
    "http/mcp/McpMessage.ts",
    "workers",
    "Settings.ts",
    "version.ts",
    "http",
    "http/handlers",
    "http/api",
    "http/openapi",
    "http/problems",
    "forecast",
    "forecast/Forecasts.ts",
    "forecast/CampaignForecasts.ts",
    "forecast/CampaignList.ts",
    "keys",
    "credits",
    "input",
    "Many.ts"
  ],
  "http/handlers": [
    "http",
    "calculator",
    "http/api",
    "http/pages",
    "http/problems",
    "forecast",
    "forecast/Forecasts.ts",
    "forecast/CampaignForecasts.ts",
    "forecast/CampaignList.ts",
    "orders",
    "keys",
    "credits",
    "database",
    "input",
    "workers",
    "workers/Overloaded.ts",
    "html.ts",
    "Figures.ts",
    "Many.ts",
    "Recent.ts",
    "Settings.ts",
    "settings"
  ],
  "http/api": ["version.ts", "http", "http/openapi", "http/problems", "forecast", "orders", "keys", "credits", "input"],
  "http/openapi": ["http", "http/problems"],
  "http/pages": [
    "http",
    "calculator",
    "http/problems",
    "credits",
    "forecast",
    "orders",
    "keys",
    "input",
    "Figures.ts",
    "html.ts",
    "settings"
  ],
  "http/problems": ["http", "orders", "keys", "credits", "database", "input", "workers/Overloaded.ts", "Figures.ts"],
  forecast: ["input"],
  "forecast/Forecasts.ts": ["forecast", "credits", "keys/KeyId.ts", "Many.ts", "workers"],
  "forecast/CampaignList.ts": ["forecast", "input"],
  "forecast/CampaignForecasts.ts": [
    "forecast",
    "forecast/CampaignList.ts",
    "credits",
    "keys/KeyId.ts",
    "input",
    "workers"
  ],
  // Threads that compute; "workers/Overloaded.ts" is what they refuse with.
  workers: [
    "workers",
    "workers/Overloaded.ts",
    "calculator",
    "forecast",
    "forecast/CampaignList.ts",
    "http/mcp/McpMessage.ts",
    "input"
  ],
  "http/mcp/McpMessage.ts": ["input"],
  "workers/Overloaded.ts": [],
  orders: [
    "observability/Metrics.ts",
    "orders",
    "keys",
    "credits",
    "mail",
    "database",
    "input",
    "BackgroundJob.ts",
    "Settings.ts",
    "settings"
  ],
  keys: ["keys", "credits", "mail", "database", "input", "BackgroundJob.ts", "Many.ts", "Settings.ts", "settings"],
  credits: [
    "observability/Metrics.ts",
    "credits",
    "keys/KeyId.ts",
    "database",
    "input",
    "BackgroundJob.ts",
    "Many.ts",
    "Randomness.ts",
    "Progress.ts"
  ],
  mail: ["mail", "database", "Figures.ts", "html.ts", "BackgroundJob.ts", "Settings.ts"],
  database: [
    "observability/Metrics.ts",
    "BackgroundJob.ts",
    "RepeatedFailure.ts",
    "Progress.ts",
    "Settings.ts",
    "settings"
  ],

  // The calculator of the start page: what the page and its script in the browser share.
  calculator: ["calculator", "forecast", "Figures.ts", "html.ts", "input"],

  // Records and plain functions: nothing but effect, and each other.
  "keys/KeyId.ts": [],
  "keys/Mailbox.ts": [],
  "keys/ApiKey.ts": ["keys/KeyId.ts", "keys/Mailbox.ts"],
  "orders/Order.ts": ["keys/KeyId.ts", "keys/ApiKey.ts"],
  "mail/Mail.ts": [],
  input: [],
  "html.ts": [],
  "Figures.ts": [],

  "Settings.ts": ["settings"],
  settings: [],
  "Logging.ts": ["RequestLog.ts", "SafeText.ts", "Settings.ts"],
  "Recent.ts": [],
  "RequestLog.ts": [],
  // What any row may count; what is measured beside the requests, and where all of it is sent.
  "observability/Metrics.ts": [],
  "observability/Tracing.ts": [],
  "observability/Telemetry.ts": ["observability/Tracing.ts", "Settings.ts"],
  observability: [
    "observability/Metrics.ts",
    "observability/Tracing.ts",
    "orders",
    "mail",
    "BackgroundJob.ts",
    "Settings.ts"
  ],
  "version.ts": ["../package.json"],
  "SafeText.ts": [],
  "Progress.ts": [],
  "Many.ts": [],
  "Randomness.ts": [],
  "BackgroundJob.ts": ["RepeatedFailure.ts"],
  "RepeatedFailure.ts": [],

  // What runs in browsers, beside the pages.
  browser: ["calculator", "forecast", "html.ts", "input"]
}

/** Files that are not open to every row with an arrow to their room. */
export const closed: ReadonlyArray<{
  readonly files: ReadonlyArray<string>
  /** The rows that may not import them; without it, every row but their own. */
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
    to: [
      "http/api",
      "http/handlers",
      "http/pages",
      "http/server",
      "cli",
      "forecast/Forecasts.ts",
      "forecast/CampaignForecasts.ts"
    ],
    allowsTypes: true,
    why: "handlers and commands call services, not stores"
  }
]

const all = Object.keys(arrows)
const http = all.filter((row) => row.startsWith("http"))

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
    by: [...http, "observability/Telemetry.ts"],
    why: "HTTP belongs to src/http"
  },
  {
    modules: ["effect/sql*", "@effect/sql-*"],
    by: ["database", "*Sql.ts"],
    why: "SQL belongs to *Sql.ts and src/database"
  },
  { modules: ["effect/cli*"], by: ["cli", "main.ts"], why: "the command line belongs to src/cli and main.ts" },
  { modules: ["@effect/platform-node"], by: [], why: "take the submodule: the barrel loads Redis and more" },
  {
    modules: ["@effect/platform-node/*"],
    by: [...http, "workers", "main.ts"],
    why: "the platform belongs to the server and to main.ts"
  },
  {
    modules: ["node:*"],
    by: [
      ...http,
      "forecast/Forecasts.ts",
      "forecast/CampaignList.ts",
      "workers",
      "keys",
      "credits",
      "database",
      "Randomness.ts",
      "observability"
    ],
    why: "records, settings, forecasts and input do without the platform, and the rest uses Effect's services"
  },
  { modules: ["d3-scale"], by: ["calculator"], why: "drawings belong to src/calculator" },
  { modules: ["stripe"], by: ["orders"], why: "payments belong to src/orders" },
  { modules: ["nodemailer"], by: ["mail"], why: "sending mail belongs to src/mail" },
  {
    modules: ["fastest-levenshtein", "csv-parse/*"],
    by: ["input"],
    why: "decoding belongs to src/input"
  }
]
