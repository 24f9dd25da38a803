import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { loadSettings, readSettings } from './config.ts'
import { runServerProcess } from './start.ts'

// Loading leaves a hundred megabytes of garbage, which an idle server would keep.
setFlagsFromString('--expose-gc')
runInNewContext('gc')()
await runServerProcess({ load: () => loadSettings('.env'), read: () => readSettings(process.env) })
