// The processor time of a process, as counted by Linux; not available elsewhere.
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

/** True if processor times can be read here. */
export const hasProcessorTimes = existsSync("/proc/self/stat")

/** The processor time of a process so far in milliseconds, including its children, running or ended. */
export const processorMillis = (counted: number): number =>
  readdirSync("/proc")
    .map(Number)
    .filter(Number.isInteger)
    .map((pid) => ({ pid, ...statOf(pid) }))
    .filter(({ parent, pid }) => pid === counted || parent === counted)
    .reduce((sum, { ticks, ticksOfEnded }) => sum + (ticks + ticksOfEnded) * millisPerTick, 0)

/**
 * The processor time that all cores have spent so far in milliseconds, on anything: not idle, waiting or taken by the
 * host.
 */
export const machineMillis = (): number => {
  const [user, nice, system, , , irq, softirq] = (read("/proc/stat") ?? "").split(/\s+/).slice(1).map(Number)
  return [user, nice, system, irq, softirq].reduce<number>((sum, ticks) => sum + (ticks ?? 0), 0) * millisPerTick
}
