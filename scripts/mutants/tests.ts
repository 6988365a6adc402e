// Selects the tests for the mutants of each folder: its own, and those of code that uses it, as long as they need no process of
// their own.

interface Tested {
  /** A folder of src. */
  readonly folder: string
  readonly tests: ReadonlyArray<string>
}

const rooms = (...names: ReadonlyArray<string>) => names.map((name) => `test/${name}/**/*.test.ts`)

/** Commands drawn at random notice more on one day than on another. */
export const withoutTests: ReadonlyArray<string> = ["test/metering/Metering.test.ts"]

export const tested: ReadonlyArray<Tested> = [
  {
    folder: "src/credits",
    tests: [
      ...rooms("credits", "keys", "orders"),
      "test/metering/Idempotency.test.ts",
      "test/keys/KeyEndpoints.test.ts",
      "test/orders/OrderIdempotency.test.ts"
    ]
  },
  {
    folder: "src/keys",
    tests: [...rooms("keys", "credits"), "test/keys/KeyEndpoints.test.ts", "test/keys/Rotation.test.ts"]
  },
  {
    folder: "src/forecast",
    tests: [
      ...rooms("forecast"),
      // The published figures are compared with a page.
      "test/docs/Rates.test.ts",
      // The calculator of the start page reads numbers by the same bounds.
      "test/calculator/readNumber.test.ts",
      "test/metering/GoalEndpoints.test.ts",
      "test/metering/ProgressEndpoints.test.ts",
      "test/metering/CampaignEndpoints.test.ts",
      "test/metering/CampaignAnswers.test.ts",
      "test/metering/BenchmarkEndpoint.test.ts"
    ]
  }
]
