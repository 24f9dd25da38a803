import { serve } from '../start.ts'
import { readSettings } from './earlierClient.ts'

await serve({ load: () => undefined, read: () => readSettings(process.env) })
