import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import { messageReading, readMessages } from "../../../src/extensions/mcp/McpMessage.ts"
import { readComparison } from "../../../src/extensions/mcp/ToolArguments.ts"
import { takeAllSteps } from "../../../src/workers/Steps.ts"
import { sample } from "../../support/Samples.ts"

const call = (name: string, args: unknown) => ({
  jsonrpc: "2.0",
  id: 1,
  method: "tools/call",
  params: { name, arguments: args }
})

const note = "x".repeat(20_000)

const history = Array.from({ length: 100 }, (_, i) => ({
  name: `${i}`.padEnd(200, "x"),
  emails_sent: 3000,
  replies: 60
}))

describe("messageReading", () => {
  it("has the same result in a thread, where it is encoded", () => {
    for (const messages of [
      call("forecast", { ...sample, history }),
      call("forecast", { note }),
      call("forecast", { ...sample, note: note.repeat(4) }),
      call("compare_campaigns", { campaigns: [sample], history }),
      call("compare_campaigns", { campaigns: [sample], history, detail: true }),
      call("compare_campaigns", [note]),
      call("nothing", { note }),
      { jsonrpc: "2.0", method: "notifications/progress", params: { arguments: { note } } },
      { jsonrpc: "2.0", id: "a", result: { note } },
      [call("usage", {}), call("compare_campaigns", { campaigns: [sample], history })],
      [{ note }]
    ]) {
      const input = { text: JSON.stringify(messages), hasLists: true }
      const encoded = takeAllSteps(messageReading.encodedSteps(messageReading.encodeInput(input)))
      const passed: unknown = structuredClone(JSON.parse(JSON.stringify(encoded)))
      assert.deepStrictEqual(messageReading.decodeResult(passed), readMessages(input))
    }
  })

  it("returns errors of long arguments, at most 50, in place of the arguments", () => {
    const fields = Object.fromEntries(Array.from({ length: 3000 }, (_, i) => [`field${i}`, 1]))
    for (const args of [
      fields,
      { ...sample, history: [fields] },
      { ...sample, history: Array.from({ length: 6000 }, () => []) }
    ]) {
      const read = readMessages({ text: JSON.stringify(call("forecast", args)), hasLists: false })
      const [message] = Result.getOrThrow(read).messages
      const found = message === undefined ? undefined : Result.getFailure(message.toolArguments)
      assert.nestedPropertyVal(found, "value._tag", "InvalidInput")
      assert.isAtMost(JSON.stringify(message).length, 16 * 1024)
    }
  })

  it("returns the error of a detail that is anything in place of it", () => {
    for (const detail of [`${"[".repeat(20_000)}${"]".repeat(20_000)}`, `{"x":1e999,"note":"${note}"}`]) {
      const text = JSON.stringify(call("compare_campaigns", { campaigns: [sample] })).replace(
        /}}}$/,
        `,"detail":${detail}}}}`
      )
      const input = { text, hasLists: false }
      const encoded = takeAllSteps(messageReading.encodedSteps(messageReading.encodeInput(input)))
      assert.isAtMost(JSON.stringify(encoded).length, 16 * 1024)
      const [message] = Result.getOrThrow(messageReading.decodeResult(encoded)).messages
      const read = message === undefined ? undefined : Result.getOrThrow(readComparison(message.toolArguments))
      assert.deepStrictEqual(
        read?.errors.map(({ pointer }) => pointer),
        ["/detail"]
      )
    }
  })
})
