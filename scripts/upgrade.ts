// Starts the build of another checkout and this one over one database, as during an update, sends every kind of request
// to one of them and again to the other, both ways, and checks that it is answered alike and paid once. Exits with
// status 1 if not: npm run upgrade -- ../other-checkout. With --postgres they share a Postgres database.
import { resolve } from "node:path"
import { parseArgs } from "node:util"
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import { Effect } from "effect"
import { temporaryDirectory } from "../test/support/Application.ts"
import { issueOn, ledgerFaults } from "../test/support/Instances.ts"
import { pinned, pinnedOrder } from "../test/support/PinnedRequests.ts"
import { postgresServer } from "../test/support/Postgres.ts"
import { main as own, serve } from "../test/support/Process.ts"
import { getFrom, postTo, sendTo, type ServiceResponse } from "../test/support/Requests.ts"

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { postgres: { type: "boolean", default: false } }
})
const [other] = positionals
if (other === undefined) throw new Error("Give the folder of the other checkout, which has been built")

/** A request as a program sends it to either server. */
interface Repeated {
  readonly name: string
  readonly send: (base: string, secret: string) => Effect.Effect<ServiceResponse>
  /** The part of its response that must be the same again. */
  readonly seen?: (response: ServiceResponse) => string
  readonly isReplay?: (response: ServiceResponse) => boolean
}

const { form, owner, pack } = pinnedOrder
const once = { "idempotency-key": "once" }

const repeated: ReadonlyArray<Repeated> = [
  ...pinned.map(({ accept = "application/json", body, name, path, type = "application/json" }) => ({
    name,
    send: (base: string, secret: string) =>
      postTo(base, path, body, { ...once, accept, "content-type": type, "x-api-key": secret })
  })),
  ...pinned.flatMap(({ body, tool }) =>
    tool === undefined
      ? []
      : {
          name: `the tool ${tool}`,
          send: (base: string, secret: string) => {
            const call = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"${tool}","arguments":${body}}}`
            return postTo(base, "/mcp", call, { "x-api-key": secret })
          },
          seen: ({ text }: ServiceResponse) => text.replace('"_meta":{"replayed":true},', ""),
          isReplay: ({ text }: ServiceResponse) => text.includes('"replayed":true')
        }
  ),
  {
    name: "an order",
    send: (base, secret) => postTo(base, "/api/v1/orders", { pack }, { ...once, "x-api-key": secret })
  },
  {
    name: "an order without a key",
    // Each direction is another buyer.
    send: (base, secret) =>
      postTo(base, "/api/v1/orders", { ...owner, pack, email: `${secret.slice(-8)}@example.com` }, once)
  },
  {
    name: "an order by a form",
    send: (base, secret) =>
      sendTo(base, "/credits", {
        method: "POST",
        body: new URLSearchParams({ ...owner, pack, email: `${secret.slice(-9)}@example.com`, idempotency_key: form })
      }),
    seen: ({ headers }) => String(headers.get("location")).replace(/\/[^/]*$/, ""),
    isReplay: () => true
  }
]

const credits = 100

const creditsLeft = (base: string, secret: string) =>
  Effect.map(getFrom(base, "/api/v1/usage", { "x-api-key": secret }), ({ json }) => Number(json["credits_remaining"]))

const main = Effect.gen(function* () {
  const directory = yield* temporaryDirectory
  const url = values.postgres ? (yield* postgresServer).url : `sqlite:${directory}/shared.db`
  const programs = { other: `${resolve(other)}/dist/main.js`, own }
  const start = (program: string) => Effect.map(serve(directory, { DATABASE_URL: url }, [], program), ({ url }) => url)
  const servers = { other: yield* start(programs.other), own: yield* start(programs.own) }
  let faults = 0
  let paid = 0
  for (const [first, second] of [
    ["other", "own"],
    ["own", "other"]
  ] as const) {
    const keys = yield* issueOn(url, repeated.length, credits)
    for (const [i, request] of repeated.entries()) {
      const { isReplay = ({ headers }) => headers.get("idempotent-replayed") === "true" } = request
      const { seen = ({ text }) => text } = request
      const { secret = "" } = keys[i] ?? {}
      const answered = yield* request.send(servers[first], secret)
      const before = yield* creditsLeft(servers[first], secret)
      const again = yield* request.send(servers[second], secret)
      const after = yield* creditsLeft(servers[second], secret)
      paid += credits - after
      const isSame = answered.status < 400 && again.status === answered.status && seen(again) === seen(answered)
      if (isSame && isReplay(again) && after === before) continue
      faults++
      console.error(`${request.name}, ${first} to ${second}: ${answered.status}, then ${again.status} ${again.text}`)
    }
  }
  const unsound = (yield* ledgerFaults(url)).length
  console.log({ requests: 2 * repeated.length, faults, credits: paid, ledgerFaults: unsound })
  if (faults + unsound > 0) process.exitCode = 1
})

NodeRuntime.runMain(Effect.scoped(main))
