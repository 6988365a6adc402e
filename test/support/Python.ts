import { pythonEnvironment } from "../../scripts/python/environment.mjs"

const environment = pythonEnvironment()

/** The Python with the packages of the tests and its pip, or the reason why there is none. */
export const { obstacle: pythonObstacle, pip, python } = environment

/** The reason why a package cannot be used that needs at least Python 3 with this minor version. */
export const obstacleBelow = (needed: number): string | undefined =>
  pythonObstacle ?? (environment.minor < needed ? `${python} is older than 3.${needed}` : undefined)
