import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { ClientAddress } from "../../src/http/ClientAddress.ts"
import { settings } from "../support/Application.ts"

const addresses = (env: Readonly<Record<string, string>> = {}) => ClientAddress.layer.pipe(Layer.provide(settings(env)))

const from = (remoteAddress: string, forwarded?: string) => ({
  headers: { "x-forwarded-for": forwarded },
  socket: { remoteAddress, destroy: () => {} }
})

describe("ClientAddress", () => {
  it.effect("distinguishes IPv6 clients by their /64 or /56, and logs at most the /24 or /48 of a client", () =>
    Effect.gen(function* () {
      const clients = yield* ClientAddress
      for (const [remote, client, network, logged] of [
        ["203.0.113.7", "203.0.113.7", "203.0.113.7", "203.0.113.0/24"],
        ["::ffff:203.0.113.7", "203.0.113.7", "203.0.113.7", "203.0.113.0/24"],
        ["2001:db8:1:1fe:3::4", "2001:db8:1:1fe::/64", "2001:db8:1:100::/56", "2001:db8:1::/48"],
        ["canary", "canary", "canary", clients.logged(from("canary"))]
      ] as const) {
        const found = [clients.of(from(remote)), clients.networkOf(from(remote)), clients.logged(from(remote))]
        assert.deepStrictEqual(found, [client, network, logged])
      }
      // Text that is not an address is never logged as it is.
      assert.match(clients.logged(from("canary")), /^[0-9a-f]{12}$/)
    }).pipe(Effect.provide(addresses()))
  )

  it.effect(
    "finds the client behind trusted proxies, which may be one of their network, and believes nobody else",
    () =>
      Effect.gen(function* () {
        const { of } = yield* ClientAddress
        for (const [remote, forwarded, client] of [
          ["10.0.0.1", "203.0.113.7", "203.0.113.7"],
          ["10.0.0.1", "198.51.100.9, 203.0.113.7, 10.0.0.2", "203.0.113.7"],
          ["10.0.0.1", "10.0.0.7", "10.0.0.7"],
          ["10.0.0.1", "10.0.0.7, 10.0.0.2", "10.0.0.7"],
          ["10.0.0.1", "203.0.113.7, canary, 10.0.0.2", "10.0.0.1"],
          ["203.0.113.1", "203.0.113.7", "203.0.113.1"]
        ] as const) {
          assert.strictEqual(of(from(remote, forwarded)), client, forwarded)
        }
      }).pipe(Effect.provide(addresses({ TRUSTED_PROXIES: "10.0.0.0/8" })))
  )

  it.effect("logs the client behind a trusted proxy, or a hash of it if configured", () =>
    Effect.gen(function* () {
      const clients = yield* ClientAddress
      const [one, other] = ["203.0.113.7", "203.0.113.8"].map((client) => clients.logged(from("10.0.0.1", client)))
      assert.match(one ?? "", /^[0-9a-f]{12}$/)
      assert.notStrictEqual(one, other)
      assert.strictEqual(clients.logged(from("203.0.113.7")), one)
    }).pipe(Effect.provide(addresses({ TRUSTED_PROXIES: "10.0.0.0/8", LOG_CLIENTS: "hash" })))
  )
})
