import type { Client } from "../../clients/typescript/src/Client.ts"
import type { ClientOptions } from "../../clients/typescript/src/ClientOptions.ts"
import { checkOptions } from "../../clients/typescript/src/ClientSettings.ts"
import { code } from "./Page.ts"

const { maxRetries, timeout } = checkOptions({ apiKey: "key" })

/** The name in Python of a setting or a method. */
export const inPython = (name: string): string =>
  name === "fetch" ? "http_client" : name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

/** Each setting with its default and its meaning. */
export const settings: {
  readonly [name in keyof Required<ClientOptions>]: readonly [byDefault: string, meaning: string]
} = {
  apiKey: ["the variable `SERVICE_API_KEY`", "the key; the client never shows it in a message, log or traceback"],
  baseUrl: [
    "the variable `SERVICE_BASE_URL`, or the service that it is from",
    "the address of the service: it can have a path, but no user, query or fragment"
  ],
  timeout: [code(String(timeout)), "seconds for a whole call with its retries, at most 600"],
  maxRetries: [code(String(maxRetries)), "how many times a call is retried"],
  fetch: ["one of its own; the runtime's `fetch`", "what sends the requests: for proxies and tests"]
}

type Method = {
  [name in keyof Client]: Client[name] extends (...args: never) => unknown ? name : never
}[keyof Client]

/** Each method with its arguments in both languages, and what it returns. */
export const methods: {
  readonly [name in Method]: readonly [python: string, typescript: string, returns: string]
} = {
  forecast: ["(…)", "({ … })", "a forecast, for one credit"],
  legacyRoi: [
    "(…)",
    "({ … })",
    "a forecast from the legacy path, with `campaign_score` and `risk_level`, for one credit"
  ],
  goal: ["(goal=…, …)", "({ goal, … })", "what each input, changed alone, must be to reach a goal, for one credit"],
  progress: [
    "(plan, so_far=…)",
    "({ … })",
    "how a campaign [that is being sent](progress.md) will end, for one credit"
  ],
  benchmarks: ["()", "()", "the published figures, and the thresholds and references that forecasts use"],
  forecasts: ["([…])", "([ … ])", "the forecasts of up to 1,000 campaigns, for one credit each, all or nothing"],
  usage: ["()", "()", "the usage and the balance of the key"],
  ledger: ["()", "()", "every change to the credits, newest first: iterate over it"],
  ledgerPage: ["(cursor=…)", "({ cursor: … })", "up to 200 of them, and the `next_cursor`"],
  creditPacks: ["()", "()", "the packs that can be ordered"],
  usageBy: ['("day", month=…)', '("day", { month: … })', "the forecasts of a month by `day` or by `sub_key`"],
  subKeys: ["()", "()", "the [sub-keys](sub-keys.md) of the key"],
  subKey: ["(id)", "(id)", "one of them"],
  createSubKey: ["(name=…)", "({ name: … })", "a new sub-key with its secret, shown only once"],
  changeSubKey: [
    "(id, name=…)",
    "(id, { name: … })",
    "a sub-key with another name or `monthly_limit`; to remove the limit, `remove_limit=True` or `monthly_limit: null`"
  ],
  rotateSubKey: ["(id)", "(id)", "a new secret of a sub-key, shown only once"],
  revokeSubKey: ["(id)", "(id)", "nothing; the sub-key is refused from then on"],
  rotateKey: [
    "(grace_hours=…)",
    "({ grace_hours: … })",
    "a new key, shown only once; the client keeps using the old one"
  ],
  withOptions: ["(timeout=…)", "({ timeout: … })", "the same client with other settings, without a call"]
}

export const clients = [
  [
    ["setting in Python", "in TypeScript", "default", "meaning"],
    ...Object.entries(settings).map(([name, cells]) => [code(inPython(name)), code(name), ...cells])
  ],
  [
    ["method in Python", "in TypeScript", "returns"],
    ...Object.entries(methods).map(([name, [python, typescript, returns]]) => [
      code(`${inPython(name)}${python}`),
      code(`${name}${typescript}`),
      returns
    ])
  ]
]
