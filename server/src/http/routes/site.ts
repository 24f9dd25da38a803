import { logClientError } from '../../flows/logClientError.ts'
import { siteConfig } from '../../flows/siteConfig.ts'
import { json } from '../answer.ts'
import type { Routes } from '../mount.ts'
import { openApiDocument } from '../openapi.ts'

export const siteRoutes = {
  config: ({ deps }) => siteConfig(deps),
  logError: ({ deps, body }) => {
    logClientError(deps, body)
    return {}
  },
  openapi: ({ deps, c }) => json(c, openApiDocument(deps)),
} satisfies Routes
