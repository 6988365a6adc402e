import { assert, describe, it } from "@effect/vitest"
import { faultsIn } from "../scripts/layers/faults.ts"
import * as table from "../scripts/layers/table.ts"

/** The faults of a few files, as the check says them. */
const faultsOf = (sources: Readonly<Record<string, string>>) => faultsIn(new Map(Object.entries(sources)), table)

describe("the check of the layers", () => {
  it("takes imports along the arrows", () => {
    assert.deepStrictEqual(
      faultsOf({
        "orders/OrdersHttp.ts": `
          import { HttpApiBuilder } from "effect/http-api"
          import { ApiKeys } from "../keys/ApiKeys.ts"
          import type { KeyStore } from "../keys/KeyStore.ts"`,
        "keys/ApiKeys.ts": `
          import { hash } from "node:crypto"
          import { Transaction } from "../database/Transaction.ts"
          import { KeyStore } from "./KeyStore.ts"`,
        "keys/KeyStore.ts": `import type { KeyId } from "../KeyId.ts"`,
        "keys/KeyStoreSql.ts": `
          import { SqlClient } from "effect/sql"
          import { KeyStore } from "./KeyStore.ts"`,
        "KeyId.ts": ""
      }),
      []
    )
  })

  it("names file, line, import and the arrow that is missing", () => {
    assert.deepStrictEqual(
      faultsOf({
        "database/Transaction.ts": `import { Effect } from "effect"\nimport { Credits } from "../credits/Credits.ts"`,
        "input/Csv.ts": `import type { ApiKey } from "../keys/ApiKey.ts"`,
        "KeyId.ts": `export { Settings } from "./Settings.ts"`,
        "forecast/Forecast.ts": `const service = () => import("../metering/Forecasts.ts")`,
        "mail/Mails.ts": `type Server = import("../http/server/Server.ts").Server`
      }),
      [
        "src/database/Transaction.ts:2 imports ../credits/Credits.ts: there is no arrow database → credits",
        "src/input/Csv.ts:1 imports ../keys/ApiKey.ts: there is no arrow input → keys",
        "src/KeyId.ts:1 imports ./Settings.ts: there is no arrow KeyId.ts → Settings.ts",
        "src/forecast/Forecast.ts:1 imports ../metering/Forecasts.ts: there is no arrow forecast → metering",
        "src/mail/Mails.ts:1 imports ../http/server/Server.ts: there is no arrow mail → http"
      ]
    )
  })

  it("keeps packages to their rooms", () => {
    assert.deepStrictEqual(
      faultsOf({
        "keys/ApiKeys.ts": `import { HttpApi } from "effect/http-api"\nimport { SqlClient } from "effect/sql"`,
        "mail/Mailer.ts": `import { Command } from "effect/cli"\nimport left from "left-pad"`,
        "KeyId.ts": `import { hash } from "node:crypto"`,
        "http/server/Server.ts": `import { NodeRedis } from "@effect/platform-node"`
      }),
      [
        "src/keys/ApiKeys.ts:1 imports effect/http-api: there is no arrow keys → effect/http* (HTTP belongs to src/http and to *Api.ts, *Http.ts, *Pages.ts, *Problems.ts)",
        "src/keys/ApiKeys.ts:2 imports effect/sql: there is no arrow keys → effect/sql* (SQL belongs to *Sql.ts and src/database)",
        "src/mail/Mailer.ts:1 imports effect/cli: there is no arrow mail → effect/cli* (the command line belongs to *Command.ts, src/cli and main.ts)",
        "src/mail/Mailer.ts:2 imports left-pad: the package is in no row of the table",
        "src/KeyId.ts:1 imports node:crypto: there is no arrow KeyId.ts → node:* (records, settings, forecasts and input do without the platform, and the rest uses Effect's services)",
        "src/http/server/Server.ts:1 imports @effect/platform-node: there is no arrow http → @effect/platform-node (take the submodule: the barrel loads Redis and more)"
      ]
    )
  })

  it("keeps stores from handlers and commands, and their SQL from all but the composition", () => {
    assert.deepStrictEqual(
      faultsOf({
        "Application.ts": `import * as KeyStoreSql from "./keys/KeyStoreSql.ts"`,
        "orders/OrdersCommand.ts": `import { type Found, KeyStore } from "../keys/KeyStore.ts"`,
        "orders/Fulfilment.ts": `import { KeyStore } from "../keys/KeyStore.ts"\nimport type { Row } from "../keys/KeyStoreSql.ts"`
      }),
      [
        "src/orders/OrdersCommand.ts:1 imports ../keys/KeyStore.ts: handlers and commands call services, not stores",
        "src/orders/Fulfilment.ts:2 imports ../keys/KeyStoreSql.ts: only Application.ts chooses where a store keeps its data"
      ]
    )
  })

  it("finds circles, also of types, and files in no room", () => {
    assert.deepStrictEqual(
      faultsOf({
        "orders/A.ts": `import { b } from "./B.ts"`,
        "orders/B.ts": `import { c } from "./C.ts"`,
        "orders/C.ts": `import type { B } from "./B.ts"`,
        "billing/Invoice.ts": ""
      }),
      [
        "src/billing/Invoice.ts is in no room: add a row for it",
        "src/orders/B.ts → src/orders/C.ts → src/orders/B.ts is a circle"
      ]
    )
  })
})
