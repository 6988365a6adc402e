import { assert, describe, it } from "@effect/vitest"
import { type Loss, lossOf } from "../../../clients/typescript/src/Loss.ts"

/** The codes of Node.js and Bun for each of these, besides those that the other tests cause over sockets. */
const codes: { readonly [loss in Loss]: ReadonlyArray<string> } = {
  unsent: ["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN", "UND_ERR_CONNECT_TIMEOUT"],
  untrusted: [
    "CERT_HAS_EXPIRED",
    "CERT_NOT_YET_VALID",
    "CERT_REVOKED",
    "CERT_UNTRUSTED",
    "DEPTH_ZERO_SELF_SIGNED_CERT",
    "ERR_TLS_CERT_ALTNAME_INVALID",
    "INVALID_PURPOSE",
    "SELF_SIGNED_CERT_IN_CHAIN",
    "UNABLE_TO_GET_ISSUER_CERT_LOCALLY",
    "UNABLE_TO_VERIFY_LEAF_SIGNATURE"
  ],
  unreadable: ["HPE_INVALID_CONSTANT", "HPE_INVALID_CHUNK_SIZE", "UND_ERR_HEADERS_OVERFLOW", "Malformed_HTTP_Response"],
  // A sent request may have arrived. A client certificate that the service requires may arrive shortly.
  unknown: ["ECONNRESET", "EPIPE", "ETIMEDOUT", "UND_ERR_SOCKET", "ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED"]
}

describe("lossOf", () => {
  for (const [loss, names] of Object.entries(codes)) {
    it(`classifies a failure as ${loss} by the code of the error or of its cause`, () => {
      for (const code of names) {
        const cause = Object.assign(new Error("Why"), { code })
        assert.strictEqual(lossOf(cause), loss, code)
        assert.strictEqual(lossOf(new TypeError("fetch failed", { cause })), loss, code)
      }
    })
  }

  it("reads the messages of Deno, whose errors have no codes", () => {
    for (const [loss, message] of [
      [
        "unsent",
        "error sending request for url (http://a/): client error (Connect): tcp connect error: Connection refused"
      ],
      [
        "unsent",
        "error sending request for url (http://a/): client error (Connect): dns error: failed to lookup address"
      ],
      [
        "untrusted",
        "error sending request for url (https://a/): client error (Connect): invalid peer certificate: Expired"
      ],
      [
        "unreadable",
        "error sending request for url (http://a/): client error (SendRequest): invalid HTTP version parsed"
      ],
      [
        "unknown",
        "error sending request for url (http://a/): client error (SendRequest): connection closed before message"
      ]
    ] as const) {
      assert.strictEqual(lossOf(new TypeError("fetch failed", { cause: new Error(message) })), loss, message)
    }
  })

  it("classifies an error without a code as unknown", () => {
    const coded = Object.assign(new Error("Why"), { code: 7 })
    for (const error of [new TypeError("fetch failed"), new Error("Why", { cause: "why" }), coded, "why", undefined]) {
      assert.strictEqual(lossOf(error), "unknown")
    }
  })
})
