import { Console, Effect } from "effect"
import { Argument, Flag } from "effect/cli"
import { counted } from "../text/Figures.ts"

/** The argument that identifies a key. */
export const keyName = Argument.String("key").pipe(
  Argument.withDescription("The key's ID or prefix, as shown by keys list, or the key itself")
)

/** The flag for the maximum number of rows in a list. */
export const limit = Flag.Int("limit").pipe(
  Flag.withDescription("Maximum number of rows"),
  Flag.filter(
    (rows) => rows > 0,
    () => "must be 1 or more"
  ),
  Flag.withDefault(50)
)

/** Lists at most `most` rows, and says on standard error if there are more. */
export const listNewest = Effect.fnUntraced(function* <A, E, R>(
  most: number,
  list: (most: number) => Effect.Effect<ReadonlyArray<A>, E, R>
) {
  const found = yield* list(most + 1)
  if (found.length <= most) return found
  yield* Console.error(`There are more than ${counted(most, "row")}; to see them, raise --limit.`)
  return found.slice(0, most)
})
