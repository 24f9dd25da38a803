import { existsSync } from 'node:fs'
import { loadEnvFile } from 'node:process'
import { readSettings } from './config.ts'
import { serve } from './start.ts'

if (existsSync('.env')) loadEnvFile('.env')
await serve(() => readSettings(process.env))
