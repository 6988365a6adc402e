import { postHistory } from "./postHistory.ts"

void postHistory()
