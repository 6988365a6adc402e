import { spawnSync } from "node:child_process"
import { createSocket } from "node:dgram"
import { once } from "node:events"
import { writeFileSync } from "node:fs"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { temporaryDirectory } from "../support/Application.ts"
import { serve, until } from "../support/Process.ts"
import { forecastFrom, getFrom, postTo } from "../support/Requests.ts"
import { slowly } from "../support/slowly.ts"

/** The address of a name server that never responds, on its standard port. */
const address = "127.0.0.77"

const canMount = spawnSync("unshare", ["-m", "true"]).status === 0

/** Counts the messages to the name server. */
const silentNameServer = Effect.acquireRelease(
  Effect.promise(async () => {
    let received = 0
    const socket = createSocket("udp4", () => received++)
    await once(socket.bind(53, address), "listening")
    return { socket, received: () => received }
  }),
  ({ socket }) => Effect.sync(() => socket.close())
)

describe.skipIf(!canMount)("a name server that never responds", slowly, () => {
  it.live("delays the emails to a mail server with a name, and no request", () =>
    Effect.gen(function* () {
      const { received } = yield* silentNameServer
      const directory = yield* temporaryDirectory
      const file = `${directory}/resolv.conf`
      writeFileSync(file, `nameserver ${address}\noptions timeout:30\n`)
      const mount = ["unshare", "-m", "sh", "-c", `mount --bind ${file} /etc/resolv.conf && exec "$@"`, "sh"]
      const server = yield* serve(directory, { MAIL_URL: "smtp://relay.example:25" }, mount)
      for (let i = 0; i < 6; i++) {
        const owner = { name: "Ada", email: `a${i}@people.example`, company: "Acme" }
        assert.strictEqual((yield* postTo(server.url, "/api/v1/access-requests", owner)).status, 202)
      }
      yield* until(() => received() > 0)
      for (const path of ["/livez", "/readyz", "/", "/docs", "/openapi.json"])
        assert.strictEqual((yield* getFrom(server.url, path)).status, 200, path)
      assert.strictEqual((yield* forecastFrom(server.url, "demo")).status, 200)
      // None of the emails has been given up in the meantime.
      assert.notInclude(server.stderr(), "mail deferred")
    })
  )
})
