// For --import: the process that is started holds the leash before anything else of it runs.
import { holdLeash } from './leash.ts'

holdLeash()
