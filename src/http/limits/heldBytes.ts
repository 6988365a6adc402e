import { makeTally } from "../../Tally.ts"

/** A body that is still arriving. */
interface Arriving {
  /** The client and the key that its bytes count for. */
  readonly shares: ReadonlyArray<string>
  /** Ends its connection. */
  readonly cut: () => void
  bytes: number
}

/**
 * Counts the bytes of bodies that are still arriving: at most `mostOfShare` for one client or key. Where all of them hold
 * more than `mostInAll`, the newest body of the client or key that holds most is cut.
 */
export const makeHeldBytes = (options: { readonly mostOfShare: number; readonly mostInAll: number }) => {
  const { mostInAll, mostOfShare } = options
  /** The oldest first. */
  const arriving: Array<Arriving> = []
  const held = makeTally<string>()
  let inAll = 0

  const change = (body: Arriving, bytes: number) => {
    body.bytes += bytes
    inAll += bytes
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
        /** Counts more bytes. Returns false where there is no room for them, or the body was cut. */
        add: (bytes: number): boolean => {
          if (!arriving.includes(body) || shares.some((share) => held.of(share) + bytes > mostOfShare)) return false
          change(body, bytes)
          if (inAll > mostInAll) cutOne()
          return true
        },
        /** Called when the body has arrived or reading it has failed; only the first call counts. */
        end: (): void => end(body)
      }
    }
  }
}
