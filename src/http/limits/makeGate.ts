import { Effect } from "effect"
import { Overloaded } from "../problems/HttpFailures.ts"
import { makeTally } from "../../Tally.ts"

/**
 * Creates a gate that runs at most `most` effects at a time, and at most `mostOfShare` of one share, such as a key; where
 * there is no room, it fails with Overloaded.
 */
export const makeGate = ({ most, mostOfShare }: { readonly most: number; readonly mostOfShare: number }) => {
  const running = makeTally<string>()
  let inAll = 0
  const change = (share: string, by: number) => {
    inAll += by
    running.add(share, by)
  }
  return <A, E, R>(share: string, effect: Effect.Effect<A, E, R>) =>
    Effect.suspend((): Effect.Effect<A, E | Overloaded, R> => {
      if (inAll >= most || running.of(share) >= mostOfShare) return Effect.fail(new Overloaded())
      change(share, 1)
      return Effect.ensuring(
        effect,
        Effect.sync(() => change(share, -1))
      )
    })
}
