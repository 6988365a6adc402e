import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { Assumptions } from "../../src/campaign/Assumptions.ts"

const page = readFileSync(fileURLToPath(new URL("../../docs/first-call.md", import.meta.url)), "utf8")
const rows = [...page.matchAll(/^\| `(\w+)` +\| (yes|no) +\| (.+?) +\|$/gm)]
const rates = /Rates are percentages from (\d+) to (\d+):/.exec(page)
const isRequest = Schema.is(Schema.toEncoded(Assumptions))
const number = (text = "") => Number(text.replaceAll(",", ""))

describe("docs/first-call.md", () => {
  it("lists every field of a request, whether it is required, its bounds and whether it is an integer", () => {
    const others = { spread: "none", history: [{ emails_sent: 1 }] }
    const request = { ...Object.fromEntries(rows.map(([, name = ""]) => [name, 1])), ...others }
    assert.deepStrictEqual(Object.keys(request), Object.keys(Assumptions.fields))
    assert.isTrue(isRequest(request))
    for (const [, name = "", required, meaning = ""] of rows) {
      const accepts = (value: unknown) => isRequest({ ...request, [name]: value })
      assert.strictEqual(accepts(null), required === "no", name)
      if (Object.hasOwn(others, name)) continue
      const bounds = meaning.startsWith("percentage of ") ? rates : /([\d,]+) to ([\d,]+)$/.exec(meaning)
      const [least, most] = [number(bounds?.[1]), number(bounds?.[2])]
      assert.deepStrictEqual([least - 1, least, most, most + 1].map(accepts), [false, true, true, false], name)
      assert.strictEqual(accepts(1.5), !meaning.startsWith("integer, "), name)
    }
  })
})
