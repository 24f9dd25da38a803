import { loadSettings, readSettings } from './config.ts'
import { serve } from './start.ts'

await serve({ load: () => loadSettings('.env'), read: () => readSettings(process.env) })
