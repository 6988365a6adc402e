import { exampleAssumptions } from "../../src/campaign/Assumptions.ts"
import { computeForecast } from "../../src/forecast/Forecast.ts"
import { code } from "./Page.ts"

const { outlook, test_first } = computeForecast(exampleAssumptions).forecast
const { chance_of_no_client, chance_to_break_even, clients, clients_to_break_even } = outlook

if (chance_to_break_even === null || test_first === null) throw new Error("The first call has no such figures")

const ofHundred = (chance: number) => `${Math.round(chance * 100)} of 100`

/** The figures of the first call: their names, values, and meanings. */
const figures = [
  ["field", "in this forecast", "what it says"],
  [code("clients.expected"), String(clients.expected), "the average over very many such campaigns"],
  [
    "`clients.low`, `clients.high`",
    `${clients.low} and ${clients.high}`,
    "the 80% range: at most 10 of 100 such campaigns end below it, and at most 10 above"
  ],
  [
    code("clients.median"),
    String(clients.median),
    "at least half of such campaigns end at or below this number, and at least half at or above it"
  ],
  [
    code("clients.chance_within"),
    String(clients.chance_within),
    `${ofHundred(clients.chance_within)} end within the range: clients are whole numbers, so it can rarely be exactly 80, and is never less`
  ],
  [
    code("chance_of_no_client"),
    String(chance_of_no_client),
    `${ofHundred(chance_of_no_client)} bring no clients at all`
  ],
  [code("clients_to_break_even"), String(clients_to_break_even), "the fewest clients whose revenue covers the cost"],
  [
    code("chance_to_break_even"),
    String(chance_to_break_even),
    `${ofHundred(chance_to_break_even)} bring as many or more`
  ]
]

/** The gain of testing some lists first, for the first call. */
const tests = [
  ["lists", "emails to each", "replies, the test included", "factor"],
  ...test_first.map(({ emails_each, factor, lists, replies }) => [
    String(lists),
    String(emails_each),
    String(Math.round(replies)),
    factor.toFixed(2)
  ])
]

export const certainty = [figures, tests]
