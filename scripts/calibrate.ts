// Measures how often the 80% ranges hold, writes the tables of docs/certainty.md, and prints what it brings to test
// lists first and to choose by replies or by points, with 400 times as many campaigns, and how often the range of
// twelve months of one sender holds. Simulates campaigns whose true rates vary by 0, 30 or 60% around the
// planned ones, or around a half or a third of the planned reply rate; the forecast knows the plan, and past campaigns.
// A seed always gives the same tables. For more, which is only printed: npm run calibrate -- --campaigns 10000 --seed 7
import { readFileSync, writeFileSync } from "node:fs"
import { parseArgs } from "node:util"
import {
  calibrate,
  documented,
  promisedTests,
  rowOf,
  rows,
  tablesOf,
  testLists,
  waysToChoose
} from "./calibrate/Calibration.ts"
import { calibrated } from "./extensions.ts"
import { withTable } from "./docTables/Page.ts"

const { values } = parseArgs({
  options: {
    campaigns: { type: "string", default: String(documented.campaigns) },
    seed: { type: "string", default: String(documented.seed) }
  }
})
const campaigns = Number(values.campaigns)
const seed = Number(values.seed)

const cells = rows.map((row) => {
  const made = rowOf(row, calibrate(row, campaigns, seed))
  console.log(made.join(" | "))
  return made
})
if (campaigns === documented.campaigns && seed === documented.seed) {
  const page = new URL("../docs/certainty.md", import.meta.url)
  writeFileSync(page, tablesOf(cells).reduce(withTable, readFileSync(page, "utf8")))
}

console.log(
  "\nTest lists first: replies and positive replies divided by those without a test, by the way to choose a list."
)
for (const test of promisedTests()) {
  console.log(`${test.lists} lists, ${test.emails_each} emails each: promised ${test.factor} times the replies`)
  for (const sharesVary of [true, false]) {
    const gains = testLists(test, { campaigns: 400 * campaigns, seed, sharesVary })
    const texts = waysToChoose.map(
      (way) => `by ${way} ${gains[way].replies.toFixed(4)} and ${gains[way].positive.toFixed(4)}`
    )
    console.log(`  positive shares ${sharesVary ? "vary" : "are the same"}: ${texts.join(", ")}`)
  }
}

for (const lines of calibrated) console.log(`\n${lines(campaigns, seed).join("\n")}`)
