import { assert, describe, it } from "@effect/vitest"
import { PortUnusable } from "../../../src/http/server/Starting.ts"

describe("PortUnusable", () => {
  it("names the setting to change", () => {
    for (const [code, variable, remedy] of [
      ["EADDRINUSE", "PORT", "Stop the process using it, or set PORT to another port"],
      ["EACCES", "PORT", "Ports below 1024 are for root: set PORT to a higher one, with a proxy in front of it"],
      ["ENOTFOUND", "PORT", "Set HOST to an address of this machine: 127.0.0.1 for itself"],
      ["EADDRNOTAVAIL", "ADMIN_PORT", "Set ADMIN_HOST to an address of this machine: 127.0.0.1 for itself"]
    ] as const) {
      const cause = Object.assign(new Error(`listen ${code}`), { code })
      const { message } = new PortUnusable({ variable, cause })
      assert.include(message, `nothing was changed: listen ${code}. ${remedy}`)
    }
  })
})
