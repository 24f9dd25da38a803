import { config } from 'zod'

// Before any schema is made: zod would try whether it may compile them, which the pages' policy forbids and reports.
config({ jitless: true })

export * from 'zod'
