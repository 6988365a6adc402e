import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { assert, describe, it } from "@effect/vitest"
import { computeProgress } from "../../src/extensions/progress/Progress.ts"
import { exampleInFlight } from "../../src/extensions/progress/ProgressRequest.ts"
import { nothingOpen } from "../../src/extensions/progress/DecidedCases.ts"

const page = readFileSync(fileURLToPath(new URL("../../docs/progress.md", import.meta.url)), "utf8")

describe("docs/progress.md", () => {
  it("is right about what its example means", () => {
    const { against_the_plan, end, if_you_send, if_you_stop_now, plan } = computeProgress(exampleInFlight)
    const { expected, high, low, so_far } = end.clients
    assert.include(page, `${low} to ${high} clients are won in total`)
    assert.include(
      page,
      `in ${Math.round(plan.chance_of_at_least * 100)} of 100, at least the ${plan.clients} that were planned`
    )
    const stopped = if_you_stop_now.clients.expected
    assert.include(page, `here ${stopped.toFixed(1)} clients on average`)
    assert.include(page, `in ${Math.round(if_you_stop_now.chance_of_another_client * 100)} of 100 campaigns`)
    const last = if_you_send.at(-1)
    assert.include(page, `bring ${((last?.expected ?? 0) - stopped).toFixed(1)} more clients`)
    const refused = computeProgress({ ...exampleInFlight, open: nothingOpen }).end.clients.expected
    const forgotten = expected - (stopped - so_far)
    const lost = (left: number) => Math.round(100 * (1 - left / expected))
    assert.include(page, `leaving the open cases out loses ${lost(forgotten)}% of the expected clients`)
    assert.include(page, `as refusals loses ${lost(refused)}%`)
    const { chance_as_campaigns_vary: varying, chance_by_chance_alone: alone } = against_the_plan.reply_rate
    assert.isBelow(alone ?? 1, 0.001)
    assert.include(page, `${Math.round((varying ?? 0) * 100)} of 100 campaigns planned at 5% are at 3.1% or below`)
  })
})
