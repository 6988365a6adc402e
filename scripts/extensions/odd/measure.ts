import { type Computation, longestPiece } from "../../../src/workers/Computation.ts"

/** The most milliseconds that a piece may take. */
const maxMillis = { thread: 150, loop: 10 }

/** A piece that seems to take longer than this is measured again. */
export const suspicious = 3

/** The longest piece of a request: its milliseconds, and where it runs. */
export interface Piece {
  readonly millis: number
  readonly place: keyof typeof maxMillis
}

/** The part of the milliseconds that a piece may take. */
export const partOf = ({ millis, place }: Piece): number => millis / maxMillis[place]

/** Pieces from the one that takes most of what it may. */
export const byPart = <P extends Piece>(pieces: ReadonlyArray<P>): ReadonlyArray<P> =>
  pieces.toSorted((a, b) => partOf(b) - partOf(a))

/** Calls a function, and measures its milliseconds of processor time in this thread, whatever other processes do. */
export const timed = <A>(compute: () => A): readonly [A, number] => {
  const before = process.threadCpuUsage()
  const result = compute()
  const { system, user } = process.threadCpuUsage(before)
  return [result, (user + system) / 1000]
}

/** The milliseconds of the longest piece of a computation, divided as threads do. */
export const piecesOf = <I, A, E, S>({ firstPiece, steps }: Computation<I, A, E, S>, input: I): number => {
  const own = steps(input)
  let longest = 0
  for (let [room, isDone] = [firstPiece, false]; !isDone; room = longestPiece) {
    let millis = 0
    do {
      const [taken, more] = timed(() => own.next())
      isDone = taken.done === true
      millis += more
    } while (!isDone && millis < room)
    longest = Math.max(longest, millis)
  }
  return longest
}

/** The least of several measurements if one is long. */
export const least = (measure: () => number): number => {
  let found = Infinity
  for (let times = 0; times < 4 && found > suspicious; times++) found = Math.min(found, measure())
  return found
}
