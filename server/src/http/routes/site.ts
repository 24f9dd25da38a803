import { siteConfig } from '../../flows/event/siteConfig.ts'
import { logClientError } from '../../flows/watch/logClientError.ts'
import { sendAsset } from '../assets.ts'
import type { Routes } from '../mount.ts'
import { openApiFile } from '../openapi.ts'

export const siteRoutes = {
  config: ({ deps }) => siteConfig(deps),
  logError: ({ deps, body }) => {
    logClientError(deps, body)
    return {}
  },
  openapi: ({ deps, c }) => sendAsset(c, openApiFile(deps)),
} satisfies Routes
