// The processor time of processes, as counted by Linux; not available elsewhere.
import { existsSync, readdirSync, readFileSync } from "node:fs"

/** Linux counts in hundredths of a second (USER_HZ) on every machine that Node runs on. */
const millisPerTick = 10

const read = (file: string): string | undefined => {
  try {
    return readFileSync(file, "utf8")
  } catch {
    // The process has ended since it was listed.
    return undefined
  }
}

/**
 * Fields of a process from its stat file, read after the name, which may contain spaces and brackets. A field's index
 * is its number in proc(5) minus 3.
 */
const statOf = (pid: number) => {
  const text = read(`/proc/${pid}/stat`)
  const fields = text?.slice(text.lastIndexOf(")") + 2).split(" ")
  const sum = (from: number, to: number) => fields?.slice(from, to).reduce((ticks, field) => ticks + Number(field), 0)
  return { parent: Number(fields?.[1]), ticks: sum(11, 13) ?? 0, ticksOfEnded: sum(13, 15) ?? 0 }
}

/** The process that started another. */
export const parentOf = (pid: number): number => statOf(pid).parent

/** True if processor times can be read here. */
export const hasProcessorTimes = existsSync("/proc/self/stat")

/** The processor time of each process so far in milliseconds, including its children, running or ended. */
export const processorMillis = (pids: ReadonlyArray<number>): ReadonlyArray<number> => {
  const millis = new Map(pids.map((pid) => [pid, 0]))
  for (const pid of readdirSync("/proc").map(Number).filter(Number.isInteger)) {
    const { parent, ticks, ticksOfEnded } = statOf(pid)
    for (const counted of [pid, parent]) {
      const sum = millis.get(counted)
      if (sum !== undefined) millis.set(counted, sum + (ticks + ticksOfEnded) * millisPerTick)
    }
  }
  return [...millis.values()]
}

/**
 * The processor time that all cores have spent so far in milliseconds, on anything: not idle, waiting or taken by the
 * host.
 */
export const machineMillis = (): number => {
  const [user, nice, system, , , irq, softirq] = (read("/proc/stat") ?? "").split(/\s+/).slice(1).map(Number)
  return [user, nice, system, irq, softirq].reduce<number>((sum, ticks) => sum + (ticks ?? 0), 0) * millisPerTick
}
