import { config } from 'zod'

// Must run before any schema is made: otherwise zod tries to compile code, which the pages' security policy reports.
config({ jitless: true })

export * from 'zod'
