import { assert, describe, it } from "@effect/vitest"
import { PlatformError } from "effect"
import { textOf } from "../../src/cli/UserFailures.ts"

describe("textOf", () => {
  it("says which folder the user that runs a command may not use, and what to do", () => {
    const denied = PlatformError.systemError({
      _tag: "PermissionDenied",
      module: "FileSystem",
      method: "access",
      pathOrDescriptor: "."
    })
    assert.strictEqual(
      textOf(denied),
      `The user that runs this command may not use ${process.cwd()}. Choose a folder of that user.`
    )
  })
})
