// A lock between processes that does not outlive a killed process: a folder that names its holder. Runs on Node 20.
import { mkdirSync, readdirSync, readFileSync, renameSync, rmdirSync, rmSync, writeFileSync } from "node:fs"

/**
 * Identifies a running process: by its ID, and on Linux also by its start time, because IDs are reused.
 * @param {number} pid
 * @returns {string | undefined} undefined if there is no such process
 */
const nameOf = (pid) => {
  try {
    process.kill(pid, 0)
  } catch (error) {
    // EPERM: the process runs, but belongs to another user.
    if (!(error instanceof Error && "code" in error && error.code === "EPERM")) return undefined
  }
  try {
    // The fields after the command, which may contain any character.
    const fields = readFileSync(`/proc/${pid}/stat`, "utf8")
      .replace(/^.*\) /s, "")
      .split(" ")
    return fields[0] === "Z" ? undefined : `${pid}-${fields[19]}`
  } catch {
    return String(pid)
  }
}

/** @param {string} folder */
const entriesOf = (folder) => {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

/**
 * @param {() => void} action
 * @returns whether it succeeded
 */
const succeeds = (action) => {
  try {
    action()
    return true
  } catch {
    return false
  }
}

/**
 * Waits until no other running process holds a lock, and takes it.
 * @param {string} lock the folder
 * @param {string} purpose completes "Waiting for process 7, which …", printed on standard error
 * @returns {() => void} what releases it
 */
export const takeLock = (lock, purpose) => {
  const name = nameOf(process.pid) ?? ""
  const own = `${lock}.${name}`
  const release = () => {
    rmSync(`${lock}/${name}`, { force: true })
    succeeds(() => rmdirSync(lock))
  }
  let announced = ""
  for (;;) {
    mkdirSync(own, { recursive: true })
    writeFileSync(`${own}/${name}`, "")
    // A folder can only replace an empty one, so the lock names its holder from the first moment.
    if (succeeds(() => renameSync(own, lock))) return release
    const [holder] = entriesOf(lock)
    if (holder === undefined) {
      // On systems where a folder cannot replace another, even an empty one.
      succeeds(() => rmdirSync(lock))
    } else if (nameOf(Number.parseInt(holder, 10)) === holder) {
      if (announced !== holder) console.error(`Waiting for process ${Number.parseInt(holder, 10)}, which ${purpose} …`)
      announced = holder
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 100)
    } else {
      // Deletes the holder by its name, so that a process that has taken over in the meantime keeps its lock.
      rmSync(`${lock}/${holder}`, { force: true })
    }
  }
}
