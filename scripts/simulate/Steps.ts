import { Context, Effect } from "effect"
import type { LedgerEntry } from "../../src/credits/LedgerEntry.ts"
import type { KeyId } from "../../src/KeyStatus.ts"

/** The failure of a task whose process crashes. */
export const crash = new Error("The process crashed")

/** A rule of the service that did not hold. */
export class Broken extends Error {}

/** Aborts the simulation unless a condition holds. */
export function hold(condition: boolean, rule: string): asserts condition {
  if (!condition) throw new Broken(rule)
}

/** A request for forecasts that a task makes: its key, its cost, and whether it can be retried. */
export interface Call {
  readonly keyId: KeyId
  readonly cost: number
  /** Scope, operation and Idempotency-Key; undefined if it cannot be retried. */
  readonly repeatId: string | undefined
}

/** Something that an instance of the service is doing: handling a request or a webhook, sending a mail. */
export interface Task {
  readonly id: number
  readonly name: string
  readonly instance: number
  /** The forecasts that it requests. */
  readonly calls: ReadonlyArray<Call>
  /** The kinds of ledger entries that it may write besides those of its calls. */
  readonly mayWrite: ReadonlyArray<LedgerEntry["kind"]>
  /** Scope, operation and Idempotency-Key of the order or replacement that it requests, if that can be retried. */
  readonly repeatId: string | undefined
  /** The mailbox of the person who provides their data with it, if any. */
  readonly brings: string | undefined
  /** Its committed changes. */
  readonly wrote: Array<LedgerEntry>
  /** True if the clock jumped or the process crashed while it ran. */
  isDisturbed: boolean
  isCrashed: boolean
}

/** The task that a fiber works on; work outside a task has no steps. */
export const CurrentTask = Context.Reference<Task | undefined>("outreach-forecast/simulate/CurrentTask", {
  defaultValue: () => undefined
})

interface Waiting {
  readonly task: Task
  readonly label: string
  readonly begins: boolean
  readonly resume: (effect: Effect.Effect<void>) => void
}

/**
 * Makes tasks wait before each step until the simulation lets one of them take it, so that the seed alone decides the
 * order of everything.
 */
export class Steps {
  readonly #waiting = new Map<number, Waiting>()
  /** The task whose transaction is open: one at a time. */
  open: Task | undefined
  /** The task that committed in the last step, until that has been checked. */
  committed: Task | undefined

  /** Waits for the task's turn. A step that `begins` a transaction waits until no other is open. */
  readonly step = (label: string, begins = false): Effect.Effect<void> =>
    Effect.flatMap(CurrentTask, (task) => {
      if (task === undefined) return Effect.void
      return Effect.callback<void>((resume) => {
        if (task.isCrashed) return resume(Effect.die(crash))
        this.#waiting.set(task.id, { task, label, begins, resume })
        return Effect.sync(() => this.#waiting.delete(task.id))
      })
    })

  /** The tasks that may take their next step, in the order in which they began. */
  get ready(): ReadonlyArray<Task> {
    return [...this.#waiting.values()]
      .filter(({ begins }) => !begins || this.open === undefined)
      .map(({ task }) => task)
      .toSorted((a, b) => a.id - b.id)
  }

  /** Lets a task take its next step. Returns the label of the step. */
  take(task: Task): string {
    const waiting = this.#waiting.get(task.id)
    if (waiting === undefined) return "nothing"
    this.#waiting.delete(task.id)
    waiting.resume(Effect.void)
    return waiting.label
  }

  /** Ends tasks like a crash of their process: they take no further step. */
  crash(tasks: Iterable<Task>): void {
    for (const task of tasks) {
      task.isCrashed = true
      const waiting = this.#waiting.get(task.id)
      this.#waiting.delete(task.id)
      waiting?.resume(Effect.die(crash))
    }
  }
}
