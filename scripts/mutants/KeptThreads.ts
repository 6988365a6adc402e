import { type PoolOptions, type PoolWorker, ThreadsPoolWorker, type WorkerRequest } from "vitest/node"

type Listener = Parameters<PoolWorker["on"]>[1]

/** Threads that have completed a run and wait for the next one. */
const waiting: Array<ThreadsPoolWorker> = []

/**
 * A thread that is kept from one run of Vitest to the next, because starting one and loading Effect into it takes
 * longer than most runs for a mutant. `Runner` reloads the modules of the project.
 */
export class KeptThread implements PoolWorker {
  readonly name = "kept threads"
  readonly #thread: ThreadsPoolWorker
  readonly #isNew: boolean
  readonly #listeners: Array<readonly [event: string, listener: Listener]> = []

  constructor(options: PoolOptions) {
    const kept = waiting.pop()
    this.#isNew = kept === undefined
    this.#thread = kept ?? new ThreadsPoolWorker(options)
  }

  async start() {
    if (this.#isNew) await this.#thread.start()
  }

  on(event: string, listener: Listener) {
    this.#listeners.push([event, listener])
    this.#thread.on(event, listener)
  }

  off(event: string, listener: Listener) {
    this.#thread.off(event, listener)
  }

  send(message: WorkerRequest) {
    if (message.type !== "stop") return this.#thread.send(message)
    // Vitest waits for this message. The thread itself is not told that the run is over.
    for (const [event, listener] of this.#listeners) {
      if (event === "message") listener({ type: "stopped", __vitest_worker_response__: true })
    }
  }

  deserialize(data: unknown) {
    return data
  }

  async stop() {
    for (const [event, listener] of this.#listeners) this.#thread.off(event, listener)
    waiting.push(this.#thread)
  }
}
