import { config } from 'zod'

// This must run before any schema is made: otherwise zod tests whether it may compile code, which the pages' security
// policy blocks and reports.
config({ jitless: true })

export * from 'zod'
