/**
 * Text that is inserted behind or before another one in a file, or a new file. The other one is what no copy of the
 * nearest entry has, such as the name of an entry.
 */
export interface Insertion {
  readonly file: string
  readonly behind?: string
  readonly before?: string
  readonly text: string
}

/** A recipe of CONTRIBUTING.md, carried out. */
export interface Recipe {
  /** The heading of its section. */
  readonly section: string
  /** The change that it begins with: the section says which files the compiler names then. */
  readonly first: ReadonlyArray<Insertion>
  /** The change to these files, after which everything compiles. */
  readonly rest: ReadonlyArray<Insertion>
}

const rate: Recipe = {
  section: "Add a field to a campaign",
  first: [
    {
      file: "src/campaign/Fields.ts",
      before: "  close_rate: rate({",
      text: `  offer_rate: rate({
    presence: "refinement",
    description: "Percentage of held meetings that get an offer.",
    example: 50,
    form: { label: "Offer rate", help: "of held meetings; clients then count per offer", example: "50" },
    outOf: "held meetings",
    remedy: "change what is offered in meetings",
    breakEven: 40,
    passed: {
      name: "offers",
      synonyms: "offered proposals",
      noun: ["offer", "offers"],
      words: "offers",
      heading: "Offers",
      description: "Offers made",
      examples: { past: 3, soFar: 2 },
      open: { description: "Offers without a decision; only with offer_rate.", example: 1, help: "without a decision" }
    }
  }),
`
    }
  ],
  rest: [
    {
      file: "src/extensions/tables/ColumnNames.ts",
      before: `  clients:
    "Clients won, `,
      text: `  offers: "Offers, Offers sent, Angebote",
`
    },
    {
      file: "src/forecast/ForecastAnswer.ts",
      behind: `const optionalCounts = {
`,
      text: `  estimated_offers: numberOrNull("Forecast offers, to 4 decimals, where offer_rate is given.", 6),
`
    },
    {
      file: "src/forecast/Forecast.ts",
      behind: `const optionalCounts: OptionalCounts<number | null> = {
`,
      text: `    estimated_offers: countAfter("offer_rate"),
`
    }
  ]
}

const flag: Recipe = {
  section: "Add a risk flag",
  first: [
    {
      file: "src/forecast/benchmarks/RiskFlags.ts",
      before: "  zero_campaign_cost: {",
      text: `  round_volume: {
    when: "a number of emails that 100 divides",
    because: "it is hardly the length of a list",
    isRaised: ({ campaign: { emails_sent } }) => toDouble(emails_sent) % 100 === 0
  },
`
    },
    {
      file: "src/forecast/benchmarks/RiskFlags.ts",
      behind: "import { type Decimal, compare, one, showExact, times, ",
      text: "toDouble, "
    }
  ],
  rest: []
}

const failure: Recipe = {
  section: "Add a failure",
  first: [
    {
      file: "src/orders/OrderFailures.ts",
      behind: `import { Schema } from "effect"
`,
      text: `
/** No orders are taken today. */
export class OrdersClosed extends Schema.TaggedError<OrdersClosed>()("OrdersClosed", {}) {}
`
    },
    {
      file: "src/orders/OrdersProblems.ts",
      behind: `import {
  DemoKeyRefused,
  InvalidSignature,
`,
      text: `  OrdersClosed,
`
    },
    {
      file: "src/orders/OrdersProblems.ts",
      behind: `export const OrderProblem = {
`,
      text: `  OrdersClosed: problem(OrdersClosed, {
    status: 503,
    code: "orders_closed",
    title: "Orders closed",
    detail: "No orders are taken today.",
    explanation: {
      when: "A pack was ordered while no orders were taken.",
      why: "The operator has closed orders.",
      whatToDo: "Order tomorrow.",
      remedy: "order tomorrow"
    },
    example: new OrdersClosed()
  }),
`
    },
    {
      file: "src/orders/Orders.ts",
      behind: `import {
  DemoKeyRefused,
`,
      text: `  OrdersClosed,
`
    },
    {
      file: "src/orders/Orders.ts",
      behind: `export type PlacingFailure = `,
      text: `OrdersClosed | `
    }
  ],
  rest: [
    {
      file: "src/orders/OrdersApi.ts",
      behind: `        ...serverFailures,
        OrderProblem.PaymentsUnavailable`,
      text: `,
        OrderProblem.OrdersClosed`
    }
  ]
}

const counting: Insertion = {
  file: "src/forecast/emailCounting.ts",
  text: `import { BigDecimal, Result, Schema } from "effect"
import { Assumptions } from "../campaign/Assumptions.ts"
import { described } from "../input/Schemas.ts"
import { computation } from "../workers/Computation.ts"
import { inOneStep } from "../workers/Steps.ts"

export const EmailCount = Schema.Struct({ emails: described(Schema.Int, "The emails of the campaign.", 5000) })

export const emailCounting = computation(
  "count emails",
  { input: Assumptions, success: EmailCount },
  inOneStep(({ emails_sent }) => Result.succeed({ emails: BigDecimal.toNumberUnsafe(emails_sent) }))
)
`
}

const row = (id: string, path: string) => `operation({
    id: "${id}",
    path: "${path}",
    summary: "Count the emails of a campaign",
    description: "Answers with the emails of a campaign. A 200 takes one credit.",
    limit: historyLimit,
    exampleRequests: 2,
    request: Assumptions,
    decode: decodeAssumptions,
    compute:
      ({ answer }) =>
      (request, turn) =>
        answer(emailCounting, false, request, turn),
    answer: {
      identifier: "${id}Answer",
      description: "The emails of a campaign, and the usage and remaining credits of the key.",
      schema: EmailCount,
      example: () => ({ emails: 5000 })
    }
  })`

/** Once as an operation of the service, and once as one of an extension. */
const operation: Recipe = {
  section: "Add an endpoint",
  first: [
    counting,
    {
      file: "src/metering/Operations.ts",
      behind: `import { computeForecast } from "../forecast/Forecast.ts"
`,
      text: `import { EmailCount, emailCounting } from "../forecast/emailCounting.ts"
`
    },
    {
      file: "src/metering/Operations.ts",
      behind: `export const operations = {
`,
      text: `  emails: ${row("countEmails", "/api/v1/emails")},
`
    },
    {
      file: "src/extensions/emails/extension.ts",
      text: `import { HttpApiGroup } from "effect/http-api"
import { Assumptions, decodeAssumptions } from "../../campaign/Assumptions.ts"
import type { Extension } from "../../Extension.ts"
import { EmailCount, emailCounting } from "../../forecast/emailCounting.ts"
import { endpointOf } from "../../metering/ForecastsApi.ts"
import { historyLimit, operation } from "../../metering/Operations.ts"

const counting = ${row("countOtherEmails", "/api/v1/other-emails")}

const EmailsGroup = HttpApiGroup.make("emails").add(endpointOf(counting))

/** Counts emails. */
export const emails = {
  operations: [counting],
  groups: [{ after: "forecasts", group: EmailsGroup }]
} as const satisfies Extension
`
    },
    {
      file: "src/extensions.ts",
      behind: `import { calculator } from "./extensions/calculator/extension.ts"
`,
      text: `import { emails } from "./extensions/emails/extension.ts"
`
    },
    {
      file: "src/extensions.ts",
      behind: `  benchmarks,
`,
      text: `  emails,
`
    }
  ],
  rest: []
}

const setting: Recipe = {
  section: "Add a setting",
  first: [
    {
      file: "src/Settings.ts",
      behind: `    telemetry: yield* telemetry,
`,
      text: `    motto: yield* text("MOTTO"),
`
    },
    {
      file: "src/settings/Numbers.ts",
      behind: `  rotationsPerHour: limit("ROTATIONS_PER_HOUR", 1000, 10, "replacements of one key"),
`,
      text: `  mottosPerHour: limit("MOTTOS_PER_HOUR", 1000, 10, "mottos of one key"),
`
    }
  ],
  rest: [
    {
      file: "src/operation/ConfigCommand.ts",
      behind: `  logLevel: { "log level": settings.logLevel.toLowerCase() },
`,
      text: `  motto: { motto: Option.getOrElse(settings.motto, () => "none: MOTTO is not set") },
`
    },
    {
      file: "scripts/docTables/operation.ts",
      behind: `  ["PORT", value(settings.port), "its port; 0 picks a free one"],
`,
      text: `  ["MOTTO", none, "the words below the title"],
`
    },
    {
      file: "test/Settings.test.ts",
      behind: `          rotationsPerHour: 10,
`,
      text: `          mottosPerHour: 10,
`
    },
    {
      file: "test/Settings.test.ts",
      behind: `        telemetry: { endpoint: Option.none(), sampledShare: 0.1 },
`,
      text: `        motto: Option.none(),
`
    }
  ]
}

const provider: Recipe = {
  section: "Add a mail provider",
  first: [
    {
      file: "src/settings/MailSettings.ts",
      behind: `export type MailSettings = `,
      text: `{ readonly kind: "nowhere" } | `
    },
    {
      file: "src/mail/NowhereMailer.ts",
      text: `import { Effect, Layer } from "effect"
import { Mailer, NotDelivered } from "./Mailer.ts"

/** Delivers nothing. */
export const layer = Layer.succeed(Mailer, {
  send: () => Effect.fail(new NotDelivered({ reason: "There is no server", isPermanent: false }))
})
`
    }
  ],
  rest: [
    {
      file: "src/mail/ConfiguredMailer.ts",
      behind: `import * as FolderMailer from "./FolderMailer.ts"
`,
      text: `import * as NowhereMailer from "./NowhereMailer.ts"
`
    },
    {
      file: "src/mail/ConfiguredMailer.ts",
      behind: `        return SmtpMailer.layer(mail.url, mailFrom, replyTo)
`,
      text: `      case "nowhere":
        return NowhereMailer.layer
`
    },
    {
      file: "src/mail/ConfiguredMailer.ts",
      behind: `      return "sent by the server in MAIL_URL"
`,
      text: `    case "nowhere":
      return "sent nowhere"
`
    },
    {
      file: "src/extensions/operator/DoctorChecks.ts",
      behind: `      return checkSmtp(mail.url, mailFrom)
`,
      text: `    case "nowhere":
      return Effect.succeed(note("mail", "Emails are sent nowhere"))
`
    }
  ]
}

const kind: Recipe = {
  section: "Add a kind of ledger entry",
  first: [
    {
      file: "src/credits/LedgerEntry.ts",
      behind: `export const LedgerKind = Schema.Literals([`,
      text: `"bonus", `
    },
    {
      file: "src/database/migrations/0013_bonus.ts",
      text: `import { Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { dialectOf, valuesOf } from "../Statements.ts"

/** Allows entries of the kind \`bonus\`. */
export const bonus = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  if (dialectOf(sql).isPostgres) {
    yield* sql\`
      ALTER TABLE credit_ledger DROP CONSTRAINT credit_ledger_kind_check, ADD CONSTRAINT credit_ledger_kind_check
      CHECK (kind IN ('bonus', 'preview_grant', 'forecast', 'credit_pack', 'adjustment'))\`
    return
  }
  const [table = "", ...others] = yield* valuesOf(
    Schema.String,
    sql\`
      SELECT sql FROM sqlite_schema WHERE tbl_name = 'credit_ledger' AND sql IS NOT NULL ORDER BY type <> 'table'\`
  )
  const wider = table.replace("credit_ledger", "wider_ledger").replace("kind IN (", "kind IN ('bonus', ")
  yield* sql.unsafe(wider)
  yield* sql\`INSERT INTO wider_ledger SELECT * FROM credit_ledger ORDER BY id\`
  yield* sql\`DROP TABLE credit_ledger\`
  yield* sql\`ALTER TABLE wider_ledger RENAME TO credit_ledger\`
  yield* Effect.forEach(others, (other) => sql.unsafe(other), { discard: true })
})
`
    },
    {
      file: "src/database/Migrations.ts",
      behind: `import { tables } from "./migrations/0011_tables.ts"
`,
      text: `import { bonus } from "./migrations/0013_bonus.ts"
`
    },
    {
      file: "src/database/Migrations.ts",
      behind: `"0011_tables": tables`,
      text: `, "0013_bonus": bonus`
    }
  ],
  rest: [
    {
      file: "src/extensions/account/keyLedger.ts",
      behind: `  preview_grant: "Free credits",
`,
      text: `  bonus: "Bonus",
`
    },
    {
      file: "docs/credits.md",
      behind: `newest first: \`preview_grant\` (the first 100), `,
      text: `\`bonus\`, `
    }
  ]
}

export const recipes: ReadonlyArray<Recipe> = [failure, rate, flag, operation, setting, provider, kind]
