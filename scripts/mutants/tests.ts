// Selects the tests for the mutants of each folder: its own, and those of code that uses it unless they start a
// process.

interface Tested {
  /** A folder of src. */
  readonly folder: string
  readonly tests: ReadonlyArray<string>
}

const rooms = (...names: ReadonlyArray<string>) => names.map((name) => `test/${name}/**/*.test.ts`)

/** Tests with random commands, which notice different mutants in each run. */
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
      // Compares the published figures with a page.
      "test/docs/Rates.test.ts",
      // The calculator of the start page accepts numbers within the same bounds.
      "test/calculator/readNumber.test.ts",
      "test/metering/GoalEndpoints.test.ts",
      "test/metering/ProgressEndpoints.test.ts",
      "test/metering/CampaignEndpoints.test.ts",
      "test/metering/CampaignResponses.test.ts",
      "test/metering/BenchmarkEndpoint.test.ts"
    ]
  }
]
