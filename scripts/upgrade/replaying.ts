import { Effect } from "effect"
import { issueOn } from "../../test/support/Instances.ts"
import type { Serving } from "../../test/support/Process.ts"
import { isReplay, repeat, repeatedPart, repeatedRequests } from "../../test/support/RepeatedRequests.ts"
import { getFrom } from "../../test/support/Requests.ts"

const creditsLeft = (base: string, secret: string) =>
  Effect.map(getFrom(base, "/api/v1/usage", { "x-api-key": secret }), ({ json }) => Number(json["credits_remaining"]))

/** Sends every kind of request to one of two servers on a database and again to the other, both ways. */
export const replay = Effect.fnUntraced(function* (
  url: string,
  servers: { readonly other: Serving; readonly own: Serving }
) {
  const faults: Array<string> = []
  let requests = 0
  for (const [first, second] of [
    ["other", "own"],
    ["own", "other"]
  ] as const) {
    for (const { secret } of yield* issueOn(url, 1, 100)) {
      for (const request of repeatedRequests(secret)) {
        requests++
        const answered = yield* repeat(servers[first].url, request)
        const before = yield* creditsLeft(servers[first].url, secret)
        const again = yield* repeat(servers[second].url, request)
        const after = yield* creditsLeft(servers[second].url, secret)
        const isSame =
          again.status === answered.status && repeatedPart(request, again) === repeatedPart(request, answered)
        if (answered.status < 400 && isSame && isReplay(request, again) && after === before) continue
        faults.push(`${request.name}, ${first} to ${second}: ${answered.status}, then ${again.status} ${again.text}`)
      }
    }
  }
  return { requests, faults }
})
