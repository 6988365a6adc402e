import { posix } from "node:path"

/** Words or SQL of an extension in the service: where, by globs below src, and why. */
interface Known {
  readonly words: RegExp
  readonly in: ReadonlyArray<string>
  readonly why: string
}

const known: Readonly<Record<string, Known>> = {
  subkeys: {
    words: /sub.?key/i,
    in: [
      "Application.ts",
      "KeyStatus.ts",
      "credits/**",
      "database/{Tables,migrations/*}.ts",
      "http/{ResponseHeaders,problems/HttpProblems}.ts",
      "keys/**",
      "metering/**",
      "operation/WarmUpHttp.ts",
      "orders/PacksPages.ts",
      "retention/Retention.ts"
    ],
    why: "a secret may be a part of a key, and its limit is decided inside the debit; the document names who may call"
  },
  notices: {
    words: /unsubscri|\bNotices\b|is_?[nN]otice_?[dD]ue|\bnotices\b/,
    in: [
      "credits/{DebitsSql,Ledger}.ts",
      "database/{Tables,migrations/*}.ts",
      "keys/AuditLog.ts",
      "mail/{Mail,MailWorker,Mailer,Nodemailer}.ts",
      "orders/{OrdersPages,PacksPages,paymentInstructions}.ts",
      "campaign/UnknownFields.ts"
    ],
    why: "a debit decides in its own update that a notice is due, and mail programs offer a button for a kind of link"
  },
  goals: {
    words: /\bgoals?\b/,
    in: ["campaign/{NumberBounds,Summaries,canonicalText}.ts", "credits/CreditsProblems.ts", "orders/PacksPages.ts"],
    why: "texts say what a credit buys; bounds and stored fingerprints are those of all requests"
  },
  progress: {
    words: /campaigns? in flight|\/api\/v1\/progress/,
    in: [
      "campaign/{Fields,NumberBounds,PastCampaigns,UnknownFields}.ts",
      "credits/CreditsProblems.ts",
      "forecast/outlook/{Outlook,Posterior}.ts",
      "http/document/CodeSamples.ts",
      "orders/PacksPages.ts"
    ],
    why: "a field that belongs elsewhere is told so, and the API document promises a basis of rates"
  },
  stripe: {
    words: /stripe/i,
    in: [
      "Settings.ts",
      "database/migrations/*.ts",
      "operation/ConfigCommand.ts",
      "orders/{Order,OrderAnswer,OrdersPages,OrdersProblems,PaymentEvents,orderMessages}.ts",
      "settings/{Numbers,Ordering,SettingWarnings}.ts"
    ],
    why: "settings, stored orders and their pages name how they were paid"
  },
  mcp: {
    words: /\bMCP\b|\/mcp\b/,
    in: ["http/problems/HttpProblems.ts"],
    why: "a problem of all pages explains itself by it"
  },
  guide: {
    words: /["'`/]docs[/#"'`]/,
    in: ["Api.ts", "forecast/outlook/Outlook.ts", "http/problems/problem.ts"],
    why: "the type of a problem is an address in the guide, and the API document links to it"
  },
  calculator: {
    words: /[cC]alculator/,
    in: ["orders/PacksPages.ts", "site/{ErrorPages,layout}.ts"],
    why: "texts of pages say what is free"
  },
  account: {
    words: /["'`]\/key\b|account_/,
    in: [
      "database/{Tables,migrations/*}.ts",
      "keys/AccessPages.ts",
      "orders/{OrdersPages,PacksPages}.ts",
      "site/layout.ts"
    ],
    why: "one schema has the tables of all, and pages lead to that of the key"
  },
  privacy: {
    words: /\b[eE]ras(?:e|ed|ure)\b/,
    in: [
      "credits/Ledger.ts",
      "database/migrations/*.ts",
      "keys/{ApiKey,AuditLog,SubKeyStore}.ts",
      "mail/{Mail,MailWorker,Mails,Outbox}.ts",
      "orders/{Order,Orders,OrdersPages,PaymentEvents,orderMessages,OrderPlacingHttp}.ts",
      "cli/ProgressLine.ts"
    ],
    why: "each store removes a person from its own rows, and shows what is left of one"
  }
}

/** The files of the service that name an extension where the list above does not say why, a sentence each. */
export const coreWords = (sources: ReadonlyMap<string, string>): ReadonlyArray<string> =>
  [...sources].flatMap(([path, source]) => {
    const file = path.replace(/^src\//, "")
    return Object.entries(known).flatMap(([extension, { in: places, words }]) =>
      words.test(source) && !places.some((place) => posix.matchesGlob(file, place))
        ? [`${path} names ${extension}: ${words.exec(source)?.[0]}`]
        : []
    )
  })

/** The places in the list that name nothing any more, a sentence each. */
export const staleWords = (sources: ReadonlyMap<string, string>): ReadonlyArray<string> =>
  Object.entries(known).flatMap(([extension, { in: places, words }]) =>
    places.flatMap((place) =>
      [...sources].some(([path, source]) => posix.matchesGlob(path.replace(/^src\//, ""), place) && words.test(source))
        ? []
        : [`nothing in ${place} names ${extension} any more: take it off the list in coreWords.ts`]
    )
  )
