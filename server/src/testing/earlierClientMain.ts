import { serve } from '../start.ts'
import { readSettings } from './earlierClient.ts'

await serve(() => readSettings(process.env))
