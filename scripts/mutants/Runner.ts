import { type RunnerTask, type RunnerTestFile, TestRunner, vi } from "vitest"

const skip = (task: RunnerTask): void => {
  task.mode = "skip"
  if (task.type === "suite") task.tasks.forEach(skip)
}

/** Reloads the project for each run, and skips the tests and suites whose names match MUTANTS_SKIP. */
export default class Runner extends TestRunner {
  constructor(...config: ConstructorParameters<typeof TestRunner>) {
    super(...config)
    vi.resetModules()
  }

  onCollected(files: Array<RunnerTestFile>): void {
    const skipped = new RegExp(process.env["MUTANTS_SKIP"] || "^$")
    const skipNamed = (task: RunnerTask): void => {
      if (skipped.test(task.name)) skip(task)
      else if (task.type === "suite") task.tasks.forEach(skipNamed)
    }
    for (const file of files) file.tasks.forEach(skipNamed)
  }
}
