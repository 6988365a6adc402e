import { assert, describe, it } from "@effect/vitest"
import { Cause, Effect } from "effect"
import { packageText, readPackageFile, readPackageFolder, readPackageText } from "../../src/site/PackageFiles.ts"

const defectOf = <A>(effect: Effect.Effect<A>) => Effect.map(Effect.flip(Effect.sandbox(effect)), Cause.squash)

describe("files of the package", () => {
  it.effect("say that the build is missing", () =>
    Effect.gen(function* () {
      const missing = "dist/missing"
      const message = "dist/missing cannot be read: run npm run build"
      for (const read of [readPackageFile, readPackageFolder, readPackageText]) {
        const defect = yield* defectOf<unknown>(read(missing))
        if (!(defect instanceof Error)) return assert.fail(String(defect))
        assert.strictEqual(defect.message, message)
      }
      assert.throws(() => packageText(missing), message)
    })
  )

  it("do not blame the build for others", () => {
    assert.throws(() => packageText("docs/missing.md"), "docs/missing.md cannot be read")
  })
})
