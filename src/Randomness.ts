import { randomFillSync } from "node:crypto"
import { Layer } from "effect"
import { SecureRandom } from "effect/crypto"

/** The number of bytes read from the system at a time. */
const poolSize = 4096

/** The system's secure random bytes, read ahead in blocks: a request needs only a few, and each read is expensive. */
export const layer = Layer.sync(SecureRandom.SecureRandom, () => {
  const pool = new Uint8Array(poolSize)
  let used = poolSize
  return SecureRandom.make((size) => {
    if (size > poolSize) return randomFillSync(new Uint8Array(size))
    if (used + size > poolSize) {
      randomFillSync(pool)
      used = 0
    }
    const bytes = pool.slice(used, used + size)
    // The returned bytes become secrets, and must not be kept here.
    pool.fill(0, used, used + size)
    used += size
    return bytes
  })
})
