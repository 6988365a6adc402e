import { pythonEnvironment } from "../../scripts/python/environment.mjs"

/** The Python with the packages of the tests and its pip, or the reason why there is none. */
export const { minor, obstacle: pythonObstacle, pip, python } = pythonEnvironment()

/** The reason why a package cannot be used that needs at least Python 3 with this minor version. */
export const obstacleBelow = (needed: number): string | undefined =>
  pythonObstacle ?? (minor < needed ? `${python} is older than 3.${needed}` : undefined)
