import { createHash } from "node:crypto"
import { readdirSync, readFileSync, rmSync } from "node:fs"
import { join } from "node:path"
import { Effect } from "effect"
import { run } from "../../test/support/Process.ts"
import { pause } from "../../test/support/Sockets.ts"
import { type Attack, forecast, send, type Target } from "./Attack.ts"

const data = ({ directory }: Target) => join(directory, "data")
const database = (target: Target) => join(data(target), "outreach-forecast.db")

export const secondStart: Attack = {
  name: "a second start on the same port",
  run: Effect.fnUntraced(function* (target) {
    yield* forecast(target)
    const look = () =>
      [database(target), `${database(target)}-wal`]
        .map((file) => createHash("sha256").update(readFileSync(file)).digest("hex"))
        .join()
    const before = look()
    const { code } = yield* run(target.directory, ["serve"], { PORT: String(target.server.port) })
    const isUnchanged = look() === before
    const { status } = yield* forecast(target)
    return {
      figure: `ended with ${code}, the database ${isUnchanged ? "unchanged" : "CHANGED"}, the first answers ${status}`,
      isDefended: code !== 0 && isUnchanged && status === 200
    }
  })
}

export const deletedDatabase: Attack = {
  name: "the database's file is deleted under the service",
  run: Effect.fnUntraced(function* (target) {
    yield* forecast(target)
    const started = performance.now()
    for (const name of readdirSync(data(target))) rmSync(join(data(target), name), { recursive: true })
    let ready = yield* send(`${target.admin}/readyz`)
    while (ready.status !== 503 && performance.now() - started < 5000) {
      yield* pause(100)
      ready = yield* send(`${target.admin}/readyz`)
    }
    const seconds = (performance.now() - started) / 1000
    const { status } = yield* forecast(target)
    const word = /"database":"(\w+)"/.exec(ready.text)?.[1] ?? "?"
    return {
      figure: `/readyz ${ready.status} "${word}" after ${seconds.toFixed(1)} s, a forecast ${status}`,
      isDefended: ready.status === 503 && word === "gone" && status === 503
    }
  })
}
