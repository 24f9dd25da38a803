import { serve } from '../serve.ts'
import { readSettings } from './earlierClient.ts'

await serve(() => readSettings(process.env))
