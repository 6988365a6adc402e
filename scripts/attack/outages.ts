import { Effect } from "effect"
import { temporaryDirectory } from "../../test/support/Application.ts"
import { smtpServer } from "../../test/support/Smtp.ts"
import { type Attack, send, startTarget, type Target, within } from "./Attack.ts"

/** How many recipients never get an answer from the relay, and are asked for one after the other. */
const silent = 15

const requestAccess = ({ server }: Target, email: string) =>
  send(`${server.url}/api/v1/access-requests`, { body: JSON.stringify({ name: "Ada", email, company: "Acme" }) })

export const silentRelay: Attack = {
  name: `a relay that never answers for ${silent} recipients: when another gets its mail`,
  run: Effect.fnUntraced(function* () {
    const { behaviours, messages, url } = yield* smtpServer
    const target = yield* startTarget(yield* temporaryDirectory, { MAIL_URL: url })
    behaviours.push(...Array.from({ length: silent }, () => "hang" as const))
    for (let i = 0; i < silent; i++) yield* requestAccess(target, `a${i}@silent.example`)
    const started = performance.now()
    yield* requestAccess(target, "ada@people.example")
    const isDelivered = yield* within(60_000, () => messages.some((text) => text.includes("ada@people.example")))
    const seconds = ((performance.now() - started) / 1000).toFixed(1)
    return {
      figure: `${messages.length - Number(isDelivered)} wait, ${isDelivered ? `delivered after ${seconds} s` : `NOT delivered within ${seconds} s`}`,
      isDefended: isDelivered
    }
  })
}
