// Which tests try the mutants of which folder: its own, and those of what stands on it, as long as they need no process of
// their own.

interface Tested {
  /** A folder of src. */
  readonly folder: string
  readonly tests: ReadonlyArray<string>
}

const handlers = (...names: ReadonlyArray<string>) => names.map((name) => `test/http/handlers/${name}.test.ts`)
const rooms = (...names: ReadonlyArray<string>) => names.map((name) => `test/${name}/**/*.test.ts`)

/** Commands drawn at random notice more on one day than on another. */
export const withoutTests: ReadonlyArray<string> = ["test/credits/Metering.test.ts"]

export const tested: ReadonlyArray<Tested> = [
  {
    folder: "src/credits",
    tests: [...rooms("credits", "keys", "orders"), ...handlers("Idempotency", "KeyEndpoints", "OrderIdempotency")]
  },
  {
    folder: "src/keys",
    tests: [...rooms("keys", "credits"), ...handlers("KeyEndpoints", "Rotation")]
  },
  {
    folder: "src/forecast",
    tests: [
      ...rooms("forecast"),
      // The published figures are compared with a page.
      "test/docs/Rates.test.ts",
      // The calculator of the start page reads numbers by the same bounds.
      "test/calculator/readNumber.test.ts",
      ...handlers("GoalEndpoints", "CampaignEndpoints", "CampaignAnswers", "BenchmarkEndpoint")
    ]
  }
]
