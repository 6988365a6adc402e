import { readFileSync } from "node:fs"
import { Effect, Fiber, Ref } from "effect"
import { body, campaigns, largeCampaigns } from "../../test/support/CampaignRequests.ts"
import { pause } from "../../test/support/Sockets.ts"
import { type Attack, countOf, issueKey, processorMillisOf, type Reply, send, type Target, valueOf } from "./Attack.ts"

/** Campaigns of the slowest kind, which take milliseconds each. */
const long = body(largeCampaigns(300))

const listTimeout = 120_000

const list = ({ server }: Target, key: string, text: string, timeout = listTimeout) =>
  send(`${server.url}/api/v1/forecasts`, { key, body: text, timeout })

/**
 * The processor time of all threads of the server so far, in milliseconds; the kernel counts in hundredths of a second.
 */
const threadMillisOf = ({ server }: Target) => {
  const fields = readFileSync(`/proc/${server.process.pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? []
  return (Number(fields[11]) + Number(fields[12])) * 10
}

const listed = (replies: ReadonlyArray<Reply>) =>
  [...new Set(replies.map(({ status }) => status))]
    .map((status) => `${countOf(replies, status)} × ${status}`)
    .join(", ")

export const turns: Attack = {
  name: "a list of two campaigns next to 8 connections of another key with 300 each",
  run: Effect.fnUntraced(function* (target) {
    const [many, few] = [yield* issueKey(target, "many", 1_000_000), yield* issueKey(target, "few")]
    const alone = yield* list(target, many, long)
    const crowd = yield* Effect.forkChild(
      Effect.replicateEffect(Effect.forever(list(target, many, long)), 8, { concurrency: "unbounded" })
    )
    yield* pause(alone.millis / 2)
    const other = yield* list(target, few, body(campaigns(2)))
    yield* Fiber.interrupt(crowd)
    return {
      figure: `${other.status} after ${other.millis.toFixed(0)} ms, where one list of the others takes ${alone.millis.toFixed(0)} ms`,
      isDefended: other.status === 200 && other.millis < alone.millis / 2
    }
  })
}

export const allPlaces: Attack = {
  name: "a list of two campaigns next to 13 other keys with four lists each, which are repeated immediately",
  run: Effect.fnUntraced(function* (target) {
    const many = yield* Effect.forEach(Array.from({ length: 13 }).keys(), (i) => issueKey(target, `many${i}`, 100_000))
    const few = yield* issueKey(target, "few")
    yield* list(target, few, body(campaigns(2)))
    const refused = yield* Ref.make(0)
    const request = (key: string) =>
      Effect.tap(list(target, key, body(largeCampaigns(50))), ({ status }) =>
        status === 200
          ? Effect.void
          : Effect.andThen(
              Ref.update(refused, (count) => count + 1),
              pause(100)
            )
      )
    yield* Effect.forEach([...many, ...many, ...many, ...many], (key) =>
      Effect.forkScoped(Effect.forever(request(key)))
    )
    yield* pause(1000)
    const replies = yield* Effect.replicateEffect(list(target, few, body(campaigns(2))), 5)
    const slowest = Math.max(...replies.map(({ millis }) => millis))
    return {
      figure: `${listed(replies)}, the slowest after ${slowest.toFixed(0)} ms; ${yield* Ref.get(refused)} lists of the others refused`,
      isDefended: countOf(replies, 200) === replies.length
    }
  })
}

export const unpaidLists: Attack = {
  name: "ten lists of 300 campaigns at a time on 300 credits",
  run: Effect.fnUntraced(function* (target) {
    const [rich, poor] = [yield* issueKey(target, "rich"), yield* issueKey(target, "poor", 300)]
    const during = (effect: Effect.Effect<ReadonlyArray<Reply>>) =>
      Effect.gen(function* () {
        const before = threadMillisOf(target)
        const replies = yield* effect
        return { replies, millis: threadMillisOf(target) - before }
      })
    const request = (key: string, count: number) =>
      during(Effect.replicateEffect(list(target, key, long), count, { concurrency: "unbounded" }))
    yield* request(rich, 1)
    const one = yield* request(rich, 1)
    const ten = yield* request(poor, 10)
    const left = valueOf(
      target,
      "SELECT balance FROM credit_balances JOIN api_keys ON id = key_id WHERE email = 'poor@honest.example'"
    )
    return {
      figure: `${listed(ten.replies)}; ${(ten.millis / 1000).toFixed(1)} s of processor time, where one list takes ${(one.millis / 1000).toFixed(1)} s; ${String(left)} credits left`,
      isDefended:
        countOf(ten.replies, 200) === 1 && countOf(ten.replies, 0) === 0 && ten.millis < 2 * one.millis && left === 0
    }
  })
}

export const unpaidGoals: Attack = {
  name: "60 goals with a chance at a time on one credit",
  run: Effect.fnUntraced(function* (target) {
    const [rich, poor] = [yield* issueKey(target, "rich"), yield* issueKey(target, "poor", 1)]
    const goalOf = (i: number) =>
      JSON.stringify({
        ...largeCampaigns(1)[0],
        name: undefined,
        emails_sent: 5000 + i,
        goal: { clients: 4, chance: 0.8 }
      })
    const request = Effect.fnUntraced(function* (key: string) {
      const before = threadMillisOf(target)
      const replies = yield* Effect.forEach(
        Array.from({ length: 60 }, (_, i) => goalOf(i)),
        (text) => send(`${target.server.url}/api/v1/goals`, { key, body: text, timeout: listTimeout }),
        { concurrency: "unbounded" }
      )
      return { replies, millis: threadMillisOf(target) - before }
    })
    yield* request(rich)
    const paid = yield* request(rich)
    const unpaid = yield* request(poor)
    return {
      figure: `${listed(unpaid.replies)}; ${unpaid.millis.toFixed(0)} ms of processor time, where 60 that are paid (${listed(paid.replies)}) take ${paid.millis.toFixed(0)} ms`,
      isDefended: countOf(unpaid.replies, 200) === 1 && unpaid.millis < paid.millis / 2
    }
  })
}

export const abandonedLists: Attack = {
  name: "lists of 1,000 campaigns whose caller disconnects, again and again",
  env: { KEY_REQUESTS_PER_SECOND: "20" },
  run: Effect.fnUntraced(function* (target) {
    const key = yield* issueKey(target, "fickle")
    const gone = yield* Ref.make(0)
    yield* list(target, key, body(campaigns(1)))
    // A tenth of each list has been computed by the time its caller disconnects.
    const tenth = yield* list(target, key, body(largeCampaigns(100)))
    const replies = yield* Effect.replicateEffect(
      Effect.tap(list(target, key, body(largeCampaigns(1000)), Math.ceil(tenth.millis)), ({ status }) =>
        status === 0 ? Ref.update(gone, (count) => count + 1) : Effect.void
      ),
      10
    )
    const after = yield* list(target, key, body(campaigns(1)))
    return {
      figure: `${yield* Ref.get(gone)} of 10 were begun, ${countOf(replies, 429)} × 429; afterwards ${after.status}`,
      isDefended: countOf(replies, 429) > 0
    }
  })
}

/** A body with unknown fields: of any number of them the first 50 are reported. */
const unknownFields = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, i) => [`f${i}`, 1]))

const callOf = (args: object) => ({
  jsonrpc: "2.0",
  id: 1,
  method: "tools/call",
  params: { name: "forecast", arguments: args }
})

export const longBodies: Attack = {
  name: "bodies of 54 KiB that are wrong everywhere, of a key",
  run: Effect.fnUntraced(function* (target) {
    const key = yield* issueKey(target, "verbose")
    const figures: Array<string> = []
    let most = 0
    /** The processor time of the event loop for each, in milliseconds. */
    const costOf = Effect.fnUntraced(function* (path: string, json: object) {
      const request = Effect.replicateEffect(
        send(`${target.server.url}${path}`, { key, body: JSON.stringify(json), timeout: listTimeout }),
        100
      )
      yield* request
      const before = processorMillisOf(target)
      const replies = yield* request
      return { statuses: listed(replies), millis: (processorMillisOf(target) - before) / replies.length }
    })
    for (const [path, bodyOf] of [
      ["/api/v1/forecast", unknownFields],
      ["/mcp", (count: number) => callOf(unknownFields(count))]
    ] as const) {
      const [short, long] = [yield* costOf(path, bodyOf(200)), yield* costOf(path, bodyOf(5500))]
      most = Math.max(most, long.millis - short.millis)
      figures.push(
        `${path} ${long.statuses}, ${long.millis.toFixed(1)} ms, compared with ${short.millis.toFixed(1)} for 2 KiB`
      )
    }
    return { figure: `the event loop for each: ${figures.join("; ")}`, isDefended: most < 2 }
  })
}

export const strangersMessages: Attack = {
  name: "messages of 1 MiB to /mcp without a key, on 4 connections",
  run: Effect.fnUntraced(function* (target) {
    const message = `{"jsonrpc":"2.0","id":1,"method":"ping","params":{"note":"${"[".repeat(1_000_000)}"}}`
    const post = send(`${target.server.url}/mcp`, { body: message })
    yield* post
    const before = processorMillisOf(target)
    const replies = (yield* Effect.replicateEffect(Effect.replicateEffect(post, 20), 4, {
      concurrency: "unbounded"
    })).flat()
    const each = (processorMillisOf(target) - before) / replies.length
    return {
      figure: `${listed(replies)}; ${each.toFixed(1)} ms of the event loop for each`,
      isDefended: countOf(replies, 200) === 0 && each < 5
    }
  })
}
