import { assert, describe, it } from "@effect/vitest"
import { questionsIn } from "../scripts/rooms/comments.ts"
import { faultsIn } from "../scripts/rooms/faults.ts"

/** The faults of a few files, as the check reports them. */
const faultsOf = (sources: Readonly<Record<string, string>>) => faultsIn(new Map(Object.entries(sources)))

describe("the check of the rooms", () => {
  it("accepts what the rules allow", () => {
    assert.deepStrictEqual(
      faultsOf({
        "orders/OrdersHttp.ts": `
          import { HttpApiBuilder } from "effect/http-api"
          import { ApiKeys } from "../keys/ApiKeys.ts"`,
        "keys/ApiKeys.ts": `import { KeyStore } from "./KeyStore.ts"`,
        "keys/KeyStore.ts": `import { SqlClient } from "effect/sql"\nimport { found } from "./FoundSql.ts"`,
        "keys/FoundSql.ts": `import type { KeyId } from "../KeyId.ts"`,
        "KeyId.ts": "",
        "Application.ts": `import { KeyStore } from "./keys/KeyStore.ts"`
      }),
      []
    )
  })

  it("restricts packages, stores and their SQL to the files that may use them", () => {
    assert.deepStrictEqual(
      faultsOf({
        "keys/ApiKeys.ts": `import { HttpApi } from "effect/http-api"\nimport { SqlClient } from "effect/sql"`,
        "mail/Mailer.ts": `const load = () => import("effect/cli")`,
        "http/server/PublicServer.ts": `export { NodeRedis } from "@effect/platform-node"`,
        "orders/OrdersCommand.ts": `import { OrderStore } from "./OrderStore.ts"`,
        "orders/Orders.ts": `type Row = import("./OrderStoreSql.ts").Row`,
        "forecast/Forecast.ts": `import type { ApiKey } from "../keys/ApiKey.ts"`
      }),
      [
        "keys/ApiKeys.ts imports HttpApi from effect/http-api: only *Http.ts, *Api.ts, *Pages.ts and *Problems.ts serve HTTP",
        "keys/ApiKeys.ts imports SqlClient from effect/sql: only stores know SQL",
        "mail/Mailer.ts imports effect/cli: only *Command.ts knows the command line",
        "http/server/PublicServer.ts imports NodeRedis from @effect/platform-node: the whole package loads Redis and more: import the submodule",
        "orders/OrdersCommand.ts imports orders/OrderStore.ts: handlers and commands call services, not stores",
        "orders/Orders.ts imports orders/OrderStoreSql.ts: *Sql.ts is part of a store",
        "forecast/Forecast.ts imports keys/ApiKey.ts: a forecast knows neither keys, nor credits, nor HTTP"
      ]
    )
  })

  it("restricts serving HTTP to handlers, and refuses calls of other servers in them", () => {
    const serves = "only *Http.ts, *Api.ts, *Pages.ts and *Problems.ts serve HTTP"
    const calls = "a handler calls services; one of them calls other servers"
    const knowsNothing = "a forecast knows neither keys, nor credits, nor HTTP"
    assert.deepStrictEqual(
      faultsOf({
        // A client has a name of its own, and may be a service like any other.
        "mail/PostmarkMailer.ts": `
          import { Effect } from "effect"
          import { FetchHttpClient, HttpBody, HttpClient, HttpClientRequest } from "effect/http"
          import { HttpApiClient } from "effect/http-api"
          import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
          import { Agent, request } from "node:http"
          import { UrlParams } from "effect/http"
          import * as HttpClientResponse from "effect/http/HttpClientResponse"`,
        "mail/MailApi.ts": `import { HttpClient } from "effect/http"\nimport { HttpApi } from "effect/http-api"`,
        "mail/MailHttp.ts": `import { get } from "node:https"\nconst sent = fetch("https://mail.example")`,
        "keys/ApiKeys.ts": `
          import * as HttpRouter from "effect/http/HttpRouter"
          import { HttpClient, HttpServerResponse as Answer } from "effect/http"
          export { HttpRouter as Router } from "effect/http"`,
        "keys/Mailbox.ts": `type Request = import("effect/http").HttpServerRequest.HttpServerRequest`,
        "keys/KeyStore.ts": `import { toPage } from "effect/http/HttpServerRespondable"\nimport * as Http from "effect/http"`,
        "orders/Orders.ts": `import { createServer } from "node:http"\nimport * as Command from "effect/cli/Command"`,
        "forecast/Rates.ts": `import { Headers } from "effect/http"\nconst rates = () => fetch("https://rates.example")`
      }),
      [
        `mail/MailApi.ts imports HttpClient from effect/http: ${calls}`,
        `mail/MailHttp.ts imports get from node:https: ${calls}`,
        `mail/MailHttp.ts imports fetch from globalThis: ${calls}`,
        `keys/ApiKeys.ts imports HttpRouter from effect/http: ${serves}`,
        `keys/ApiKeys.ts imports HttpServerResponse from effect/http: ${serves}`,
        `keys/Mailbox.ts imports HttpServerRequest from effect/http: ${serves}`,
        `keys/KeyStore.ts imports HttpServerRespondable from effect/http: ${serves}`,
        `keys/KeyStore.ts imports effect/http: ${serves}`,
        `orders/Orders.ts imports createServer from node:http: ${serves}`,
        "orders/Orders.ts imports Command from effect/cli: only *Command.ts knows the command line",
        `forecast/Rates.ts imports Headers from effect/http: ${knowsNothing}`,
        `forecast/Rates.ts imports fetch from globalThis: ${knowsNothing}`
      ]
    )
  })

  it("lets nothing but the list name an extension, in whichever way", () => {
    const why = "the service stands alone: only extensions.ts names its extensions"
    assert.deepStrictEqual(
      faultsOf({
        "extensions.ts": `import { goals } from "./extensions/goals/extension.ts"`,
        "extensions/goals/extension.ts": `import { operation } from "../../metering/Operations.ts"`,
        "extensions/lists/extension.ts": `import { extensions } from "../../extensions.ts"`,
        "metering/Operations.ts": `const load = () => import("../extensions/goals/Goals.ts")`,
        "keys/ApiKeys.ts": `type Key = import("../extensions/subkeys/SubKeys.ts").SubKeys`,
        "site/Assets.ts": `const file = new URL("../extensions/guide/page.css", import.meta.url)`,
        "workers/WorkerPool.ts": "const path = `src/extensions/${name}`"
      }).filter((fault) => !fault.includes("cycle")),
      [
        "extensions/lists/extension.ts imports extensions.ts: an extension does not know the list",
        `metering/Operations.ts imports extensions/goals/Goals.ts: ${why}`,
        `keys/ApiKeys.ts imports extensions/subkeys/SubKeys.ts: ${why}`,
        `site/Assets.ts imports extensions/guide/page.css: ${why}`,
        `workers/WorkerPool.ts imports extensions/: ${why}`
      ]
    )
  })

  it("finds circular imports between files, including imports of types", () => {
    assert.deepStrictEqual(
      faultsOf({
        "orders/A.ts": `import { b } from "./B.ts"`,
        "orders/B.ts": `import { c } from "./C.ts"`,
        "orders/C.ts": `import type { B } from "./B.ts"`
      }),
      ["orders/B.ts → orders/C.ts → orders/B.ts is a cycle of files"]
    )
  })

  it("finds circular imports between rooms even if no file is in a cycle", () => {
    assert.deepStrictEqual(
      faultsOf({
        "Api.ts": `import { api } from "./orders/OrdersApi.ts"`,
        "orders/OrdersApi.ts": `import { api } from "../keys/KeysApi.ts"`,
        "orders/Order.ts": "",
        "keys/KeysApi.ts": `import { Mailbox } from "./Mailbox.ts"`,
        "keys/Mailbox.ts": `import { mail } from "../mail/Mail.ts"`,
        "mail/Mail.ts": `import type { Order } from "../orders/Order.ts"`
      }),
      [
        "orders → keys → mail → orders is a cycle of rooms: " +
          "orders/OrdersApi.ts imports keys/KeysApi.ts, keys/Mailbox.ts imports mail/Mail.ts, mail/Mail.ts imports orders/Order.ts"
      ]
    )
  })

  it("finds circular imports between the folders of a room, also through files next to them", () => {
    assert.deepStrictEqual(
      faultsOf({
        "forecast/advice/Rates.ts": `import { bounds } from "../benchmarks/Thresholds.ts"`,
        "forecast/benchmarks/Thresholds.ts": "",
        "forecast/benchmarks/Benchmarks.ts": `import { RiskFlag } from "../RiskFlags.ts"`,
        "forecast/RiskFlags.ts": `import { target } from "./advice/Targets.ts"`,
        "forecast/advice/Targets.ts": ""
      }),
      [
        "forecast/advice → forecast/benchmarks → forecast/advice is a cycle of folders: " +
          "forecast/advice/Rates.ts imports forecast/benchmarks/Thresholds.ts, " +
          "forecast/benchmarks/Benchmarks.ts imports forecast/RiskFlags.ts, forecast/RiskFlags.ts imports forecast/advice/Targets.ts"
      ]
    )
  })

  it("accepts files of a room both above and below one of its folders", () => {
    assert.deepStrictEqual(
      faultsOf({
        "keys/KeysHttp.ts": `import { SubKeys } from "./subkeys/SubKeys.ts"`,
        "keys/subkeys/SubKeys.ts": `import { ApiKey } from "../ApiKey.ts"`,
        "keys/ApiKey.ts": `import type { SubKey } from "./subkeys/SubKey.ts"`,
        "keys/subkeys/SubKey.ts": ""
      }),
      []
    )
  })
})

describe("the check of doc comments", () => {
  it("reports those that begin like a question", () => {
    const source = `
/** The balance of a key. True if it has one. */
const a = "/** What */"
/** What a key has left. */
const b = 1
/* How it works. */
// Why this is so.
/**
 * Whether a key has credits,
 * What else it has.
 */
const c = 1
/** Makes what reads a body. */
const d = 1
/** Makes a reader. Whole bodies only. */
const e = 1`
    const rule = "begin a doc comment with a noun or a verb"
    assert.deepStrictEqual(questionsIn(new Map([["src/A.ts", source]])), [
      `src/A.ts:4 begins with "What": ${rule}`,
      `src/A.ts:8 begins with "Whether": ${rule}`,
      `src/A.ts:13 begins with "Makes what": ${rule}`
    ])
  })
})
