import { makeTally } from "../../Tally.ts"

/** A body that is still arriving. */
interface Arriving {
  /** The client and the key that its bytes count against. */
  readonly shares: ReadonlyArray<string>
  /** Ends its connection. */
  readonly cut: () => void
  bytes: number
}

/**
 * Counts the bytes of bodies that are still arriving: at most `maxOfShare` for one client or key. If all together hold
 * more than `maxInTotal`, the newest body of the client or key that holds the most is cut off.
 */
export const makeHeldBytes = (options: { readonly maxOfShare: number; readonly maxInTotal: number }) => {
  const { maxInTotal, maxOfShare } = options
  /** The oldest first. */
  const arriving: Array<Arriving> = []
  const held = makeTally<string>()
  let total = 0

  const change = (body: Arriving, bytes: number) => {
    body.bytes += bytes
    total += bytes
    for (const share of body.shares) held.add(share, bytes)
  }
  const end = (body: Arriving) => {
    const at = arriving.indexOf(body)
    if (at < 0) return
    arriving.splice(at, 1)
    change(body, -body.bytes)
  }
  const heldWith = ({ shares }: Arriving) => Math.max(...shares.map(held.of))
  const cutOne = () => {
    const most = Math.max(...arriving.map(heldWith))
    const newest = arriving.findLast((body) => body.bytes > 0 && heldWith(body) === most)
    if (newest === undefined) return
    end(newest)
    newest.cut()
  }

  return {
    begin: (shares: ReadonlyArray<string>, cut: () => void) => {
      const body: Arriving = { shares, cut, bytes: 0 }
      arriving.push(body)
      return {
        /** Counts more bytes. Returns false if there is no room for them, or the body was cut off. */
        add: (bytes: number): boolean => {
          if (!arriving.includes(body) || shares.some((share) => held.of(share) + bytes > maxOfShare)) return false
          change(body, bytes)
          if (total > maxInTotal) cutOne()
          return true
        },
        /** Called when the body has arrived or reading it has failed; only the first call counts. */
        end: (): void => end(body)
      }
    }
  }
}
