// `--import` loads this file, so that a started process watches its parent before any of its other code runs.
import { holdLeash } from './leash.mjs'

holdLeash()
